// RowsAtBegin: the rows of nodes at the begin of a window, to which a rank goes back.
#include "dynamics/windows/rows_at_begin.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "numerics/at.hpp"
#include "support/small_system.hpp"

namespace terrace::rows_at_begin_test {
namespace {

struct RowsOfAWindow : testing::Test {
  void SetUp() override {
    for (std::size_t node = 0; node < nodes; ++node) {
      before.push_back(state.row(node));
      all.push_back(static_cast<std::int32_t>(node));
    }
    state.ledger.assign(1, WideMomentum{});
    first = std::span(all).first(5);
    rest = std::span(all).subspan(5);
  }
  void push(std::int32_t body, std::span<const std::int32_t> of_body) {
    rows.keep(state, body, of_body);
    for (const std::int32_t node : of_body) {
      at(state.lines, node).displacement[0] += 0.25;
      at(state.momenta, node)[1] += 7;
    }
    state.ledger[0][1] += WideInteger::nearest(7);
    state.time += 0.5;
  }
  SmallSystem system{soft_deck({cube_entry("cube", 2)}), {}};
  State& state = system.state;
  std::size_t nodes = system.lagrangian.masses.size();
  std::vector<NodeRow> before;
  std::vector<std::int32_t> all;
  std::span<const std::int32_t> first, rest;
  RowsAtBegin rows;
};

TEST_F(RowsOfAWindow, AreThoseBeforeTheFirstPushOfEachBody) {
  rows.begin(state, 0.125, 2);
  const std::vector<WideMomentum> ledger = state.ledger;
  push(1, first);
  push(0, rest);
  push(1, first);
  rows.put_back(state);
  for (std::size_t node = 0; node < nodes; ++node) EXPECT_EQ(state.row(node), before[node]) << node;
  EXPECT_EQ(state.ledger, ledger);
  EXPECT_EQ(state.time, 0.125);
}

TEST_F(RowsOfAWindow, WhatNobodyPushedIsLeftAsItIs) {
  rows.begin(state, 0, 2);
  push(0, first);
  const NodeRow last = state.row(nodes - 1);
  at(state.lines, static_cast<std::int32_t>(nodes - 1)).displacement[2] = 3;
  rows.put_back(state);
  EXPECT_EQ(state.row(0), before[0]);
  EXPECT_EQ(at(state.lines, static_cast<std::int32_t>(nodes - 1)).displacement[2], 3);
  EXPECT_NE(state.row(nodes - 1), last);
}

TEST_F(RowsOfAWindow, ThoseOfTheWindowBeforeAreForgotten) {
  rows.begin(state, 0, 2);
  push(0, first);
  rows.begin(state, state.time, 2);
  const NodeRow now = state.row(0);
  rows.put_back(state);
  EXPECT_EQ(state.row(0), now);
  push(0, first);
  rows.put_back(state);
  EXPECT_EQ(state.row(0), now);
}

}  // namespace
}  // namespace terrace::rows_at_begin_test
