// A warning names the contact whose facets are too coarse for Hertz's law; there is none for others.
#include "dynamics/measuring/coarse_contact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/key_effects.hpp"
#include "support/small_balls.hpp"
#include "support/warning_texts.hpp"

namespace terrace::coarse_contact_test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CoarseContact : public DeckTest {
 protected:
  [[nodiscard]] std::string told(std::vector<std::string> settings, const std::string& model = "gap") const {
    std::string text = touching_balls;
    const std::string contact = "model = \"hertz\"\npatch = 0.2\n";
    text.replace(text.find(contact), contact.size(), "model = \"" + model + "\"\n");
    settings.insert(settings.begin(), {"bodies.0.velocity=[0.1,0,0]", "bodies.1.position=[2.05,0,0]"});
    const Deck deck = read(text, settings);
    const std::vector<Warning> warnings = coarse_contacts(build_model(deck), deck.contact);
    EXPECT_LE(warnings.size(), 1);
    return warnings.empty() ? "" : warnings[0].text;
  }
};

TEST_F(CoarseContact, NamesTheSizeThatAThirdOfTheContactWouldBe) {
  // By Hertz, the largest force of an impact at the speed 0.1, with half the mass of a ball, E* = 10/0.9375/2
  // and R = 1/2: 2/5 k δ^{5/2} = ½ m v², F = k δ^{3/2}. Wanted is a third of the contact's radius at a tenth
  // of that force.
  const double modulus = 10 / 0.9375 / 2, k = 4.0 / 3 * modulus * std::sqrt(0.5);
  const double mass = 0.5 * 7 * 4 * M_PI / 3 * 0.93;  // the coarse balls have 0.93 of a sphere's volume
  const double force = k * std::pow(1.25 * mass * 0.01 / k, 0.6);
  const double wanted = std::cbrt(0.75 * 0.1 * force * 0.5 / modulus) / 3;
  const std::string text = told({});
  EXPECT_THAT(text, AllOf(HasSubstr("contact of left and right"), HasSubstr("facets make a flat spot"),
                          HasSubstr("With balls contact.model = \"hertz\" does without")));
  const std::size_t place = text.find("force wants ");
  ASSERT_NE(place, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(place + 12)) / wanted, 1, 0.02);
  const std::size_t found = text.find("there are ");
  ASSERT_NE(found, std::string::npos);
  EXPECT_NEAR(std::stod(text.substr(found + 10)), 0.06, 0.025);
}

TEST_F(CoarseContact, IsSilentWhereElementsAreFineOrBodiesFarOrContactDoesWithout) {
  EXPECT_THAT(told({"bodies.0.velocity=[3,0,0]"}), IsEmpty()) << "a wide contact";
  EXPECT_THAT(told({"bodies.0.velocity=[0,0,0]"}), IsEmpty()) << "no impact to judge by";
  EXPECT_THAT(told({"bodies.1.position=[2.3,0,0]"}), IsEmpty());
  EXPECT_THAT(told({}, "hertz\"\nforces = [0.01, 0.1]\npairs = [[\"left\", \"right\"]]\n#\""), IsEmpty());
  EXPECT_THAT(told({"bodies.0.refine=[{point=[1,0,0],size=0.01,slope=0.3}]"}), HasSubstr("elements of right"))
      << "the coarser of the two decides";
}

// How near two bodies must be for a warning depends on the smaller of the two radii, not on other bodies.
TEST_F(CoarseContact, IsToldWhateverElseIsThere) {
  std::string text = touching_balls;
  const std::string contact = "[contact]\nmodel = \"hertz\"\npatch = 0.2\n";
  text.replace(text.find(contact), contact.size(), R"([[bodies]]
name = "small"
material = "stiff"
shape = "ball"
radius = 0.1
size = 0.06
position = [0, 10, 0]
[contact]
model = "gap"
)");
  for (const auto& [place, is_near] : {std::pair("2.15", true), std::pair("2.25", false)}) {
    const Deck deck =
        read(text, {"bodies.0.velocity=[0.1,0,0]", std::string("bodies.1.position=[") + place + ",0,0]"});
    const std::vector<Warning> warnings = coarse_contacts(build_model(deck), deck.contact);
    EXPECT_THAT(texts_of(warnings), SizeIs(is_near ? 1 : 0)) << place;
    EXPECT_THAT(texts_of(warnings), Each(HasSubstr("contact of left and right")));
  }
}

TEST_F(CoarseContact, CountsABlockAsAPlane) {
  std::string text = touching_balls;
  const std::string ball = "shape = \"ball\"\nradius = 1\n", contact = "model = \"hertz\"\npatch = 0.2\n";
  text.replace(text.rfind(ball), ball.size(), "shape = \"block\"\nextent = [2, 2, 2]\n");
  text.replace(text.find(contact), contact.size(), "model = \"gap\"\n");
  const Deck deck = read(text, {"bodies.0.velocity=[0.1,0,0]", "bodies.1.position=[2.05,0,0]"});
  const std::vector<Warning> warnings = coarse_contacts(build_model(deck), deck.contact);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_THAT(warnings[0].text, AllOf(HasSubstr("contact of left and right"),
                                      HasSubstr("Finer elements there (bodies.refine) mend it")));
}

}  // namespace
}  // namespace terrace::coarse_contact_test
