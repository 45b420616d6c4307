#include "dynamics/concurrent/round_news.hpp"

#include <algorithm>

#include "parallel/archive.hpp"

namespace terrace {
namespace {

std::vector<std::byte> packed(const RoundNews& news) {
  ByteWriter writer;
  const std::uint64_t events = news.events.size();
  writer(news.bounds, news.withdrawals, news.work, news.most_work, events);
  for (const auto& event : news.events) writer(*event);
  return writer.take();
}

void add(ByteReader& reader, RoundNews& all) {
  RoundNews one;
  std::uint64_t events = 0;
  reader(one.bounds, one.withdrawals, one.work, one.most_work, events);
  all.bounds.insert(all.bounds.end(), one.bounds.begin(), one.bounds.end());
  all.withdrawals.insert(all.withdrawals.end(), one.withdrawals.begin(), one.withdrawals.end());
  all.work += one.work;
  all.most_work = std::max(all.most_work, one.most_work);
  for (; events > 0; --events) {
    auto event = std::make_shared<EventMessage>();
    reader(*event);
    all.events.push_back(std::move(event));
  }
}

}  // namespace

RoundNews news_of_all(RoundNews mine, Communicator& communicator) {
  for (int collectives = 0; collectives < 2; ++collectives) communicator.count_exchange();
  RoundNews all;
  if (communicator.size() == 1) {
    all = std::move(mine);
  } else {
    const std::vector<std::byte> bytes = communicator.bytes_of_all(packed(mine));
    ByteReader reader(bytes);
    while (!reader.at_end()) add(reader, all);
  }
  std::sort(all.withdrawals.begin(), all.withdrawals.end(),
            [](const EventWithdrawal& a, const EventWithdrawal& b) { return a.place < b.place; });
  std::sort(all.events.begin(), all.events.end(),
            [](const auto& a, const auto& b) { return a->place < b->place; });
  return all;
}

}  // namespace terrace
