// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "app/plot/curves/names.h"
#include "app/plot/figure.h"
#include "app/plot/gnuplot.h"
#include "app/plot/history.h"
#include "app/plot/layout.h"
#include "app/plot/page.h"
#include "app/plot/reduce.h"
#include "app/plot/row.h"
#include "app/plot/scale.h"
#include "solver/error.h"

using namespace slipfield;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr auto kExterior = ElementState::exterior;
constexpr auto kAdhesion = ElementState::adhesion;
constexpr auto kSlip = ElementState::slip;

Grid plotted_grid(int mx, int my) { return {mx, my, 0.5, 0.25, -3.0, 7.0, Boundary::free}; }

std::vector<double> random_values(std::size_t count) {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal(0.0, 2.0);
  std::vector<double> values(count);
  for (double& value : values) value = normal(generator);
  return values;
}

// An ellipse in the middle: adhesion where x is positive, slip elsewhere.
std::vector<ElementState> ellipse(const Grid& grid, double a, double b) {
  const double xm = grid.x0 + 0.5 * grid.mx * grid.dx;
  const double ym = grid.y0 + 0.5 * grid.my * grid.dy;
  std::vector<ElementState> division(grid.count(), kExterior);
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = grid.x(ix) - xm;
      if (std::hypot(x / a, (grid.y(iy) - ym) / b) < 1.0)
        division[grid.index(ix, iy)] = x > 0.0 ? kAdhesion : kSlip;
    }
  return division;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("plot scale: ticks are 1, 2 or 5 times a power of ten, and not more than asked for") {
    CHECK(nice_step(10.0, 5) == doctest::Approx(2.0));
    CHECK(nice_step(10.0, 4) == doctest::Approx(5.0));
    CHECK(nice_step(0.3, 3) == doctest::Approx(0.1));  // 0.3 / 3 is a little less than 0.1
    CHECK(nice_step(7.0e-9, 6) == doctest::Approx(2.0e-9));
    CHECK(nice_step(0.0, 5) == 1.0);
    CHECK(nice_step(kInfinity, 5) == 1.0);
    for (int i = -90; i < 90; ++i)
      for (const int most : {1, 2, 5, 9}) {
        const double range = std::pow(1.37, i);
        CHECK(range / nice_step(range, most) < most + 1.0e-6);
      }
    CHECK(nice_below(0.37) == doctest::Approx(0.2));
    CHECK(nice_below(500.0) == doctest::Approx(500.0));
    CHECK(nice_below(9.99e-7) == doctest::Approx(5.0e-7));
    CHECK(nice_below(0.0) == 1.0);
  }

  TEST_CASE("plot scale: numbers that are long in their unit get a prefix or a power of ten") {
    CHECK(quantity_text(4.5e8, "Pa") == "450 MPa");
    CHECK(quantity_text(0.002, "mm") == "2 µm");
    CHECK(quantity_text(-0.0012, "m") == "−1.2 mm");
    CHECK(quantity_text(1222.0, "N/mm^2") == "1222 N/mm²");
    CHECK(quantity_text(0.0, "N") == "0 N");
    CHECK(quantity_text(-0.0, "N") == "0 N");
    CHECK(with_unit("traction", unit_scale(0.004, "N/mm^2")) == "traction [10⁻³ N/mm²]");
    CHECK(unit_scale(0.004, "N/mm^2").factor == doctest::Approx(1000.0));
    CHECK(with_unit("element division", unit_scale(2.0, "-")) == "element division");
    CHECK(unit_scale(0.0, "mm").factor == 1.0);
  }

  TEST_CASE("plot scale: colours are symmetric about 0 where signs differ, and never of width 0") {
    const auto check = [](const Range& values, double low, double high, bool diverging) {
      const ColourRange colours = colour_range(values);
      CHECK(colours.range.low == low);
      CHECK(colours.range.high == high);
      CHECK(colours.diverging == diverging);
    };
    check({0.0, 5.0}, 0.0, 5.0, false);
    check({1.0, 5.0}, 0.0, 5.0, false);
    check({4.0, 5.0}, 4.0, 5.0, false);
    check({-1.0, 5.0}, -5.0, 5.0, true);
    check({-5.0, 1.0}, -5.0, 5.0, true);
    check({-1.0e-12, 5.0}, 0.0, 5.0, false);  // rounding, not a sign
    check({-5.0, 1.0e-12}, -5.0, 0.0, false);
    check({-5.0, -1.0}, -5.0, 0.0, false);  // negative everywhere: one sign
    check({-5.0, -4.0}, -5.0, -4.0, false);
    check({0.0, 0.0}, 0.0, 1.0, false);
    check({3.0, 3.0}, 0.0, 3.0, false);
    check({-3.0, -3.0}, -3.0, 0.0, false);
    check(kNoRange, 0.0, 1.0, false);
    for (const Range& values : {Range{0.0, 0.0}, Range{2.0, 2.0}, Range{-2.0, -2.0}, kNoRange})
      CHECK(axis_range(values).high > axis_range(values).low);
  }

  TEST_CASE("plot scale: one extreme in a hundred values is left out, a smooth peak is not") {
    std::vector<double> values(200);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = 1.0 - std::pow(static_cast<double>(i) / 100.0 - 1.0, 2);
    const Range smooth = without_extremes(values);
    CHECK(smooth.high == 1.0);
    values[7] = -12.0;
    const Range clipped = without_extremes(values);
    CHECK(clipped.high == 1.0);
    CHECK(clipped.low == -1.0);  // as far as the greatest of the others
    values.resize(20);           // one of 20 is no exception
    CHECK(without_extremes(values).low == -12.0);
    values.assign(1000, 0.0);  // a contact of two elements in a large field of zeros
    values[500] = 3.0;
    values[501] = 1.0;
    CHECK(without_extremes(values).high == 3.0);
    CHECK(without_extremes({kInfinity}).empty());
  }

  TEST_CASE("plot cut: goes through the pressure's centroid, or its peak where that is outside") {
    const Grid grid = plotted_grid(9, 7);
    std::vector<double> pressure(grid.count(), 0.0);
    CHECK_FALSE(middle_of_pressure(pressure, grid).has_value());
    pressure[grid.index(2, 3)] = 1.0;
    pressure[grid.index(3, 3)] = 3.0;
    const auto centroid = middle_of_pressure(pressure, grid);
    REQUIRE(centroid.has_value());
    CHECK((*centroid)[0] == doctest::Approx(0.25 * grid.x(2) + 0.75 * grid.x(3)));
    CHECK((*centroid)[1] == doctest::Approx(grid.y(3)));
    pressure[grid.index(8, 3)] = 4.0;  // two patches: between them nothing carries
    const auto peak = middle_of_pressure(pressure, grid);
    REQUIRE(peak.has_value());
    CHECK((*peak)[0] == grid.x(8));
    for (int ix = 0; ix < grid.mx; ++ix)
      CHECK(element_at(grid.x(ix), grid.x0, grid.dx, grid.mx) == ix);
    CHECK(element_at(grid.x0 + 2.0 * grid.dx, grid.x0, grid.dx, grid.mx) == 2);
    CHECK(element_at(-1.0e9, grid.x0, grid.dx, grid.mx) == 0);
    CHECK(element_at(1.0e9, grid.x0, grid.dx, grid.mx) == grid.mx - 1);
  }

  TEST_CASE("plot legend: names the areas that are there, and breaks where the figure ends") {
    ShownStates shown;
    shown.include({kExterior, kSlip}, true);
    REQUIRE(state_legend(shown).size() == 1);
    CHECK(state_legend(shown).front().text == "slip");
    shown.include({kAdhesion}, false);  // without friction there is neither
    CHECK(state_legend(shown).back().text == "contact");
    shown.include({kAdhesion}, true);
    const std::vector<LegendEntry> entries = state_legend(shown);
    CHECK(entries.size() == 3);
    CHECK(legend_lines(entries, 1000.0).size() == 1);
    CHECK(legend_lines(entries, 1.0).size() == 3);
    CHECK(legend_lines({}, 1000.0).empty());
  }

  TEST_CASE("plot curves: keys and totals have the names and units that a person writes") {
    const std::string rolling = "tangential: {problem: steady_rolling}";
    const auto text = [](const CurveName& name) { return with_unit(name.name, name.scale(1.0)); };
    const CurveName creepage = key_name("tangential.x.creepage", rolling, Units::n_mm_s);
    CHECK(text(creepage) == "longitudinal creepage [%]");
    CHECK(creepage.scale(1.0).factor == doctest::Approx(100.0));
    CHECK(creepage.plain() == "longitudinal creepage");  // its values are not percents there
    CHECK(text(key_name("normal.force", rolling, Units::si)) == "normal force [N]");
    CHECK(key_name("grid.elements", rolling, Units::si).name == "grid.elements");
    CHECK(text(total_name("max_pressure", rolling, Units::si)) == "greatest pressure [Pa]");
    CHECK(text(total_name("force_ratio_x", rolling, Units::si)) == "longitudinal force / µFₙ");
    const std::string resolved = "tangential: {problem: steady_rolling, direction: 0.0}";
    CHECK(key_name("tangential.y.creepage", resolved, Units::si).name == "lateral creepage");
    const std::string turned = "tangential: {problem: steady_rolling, direction: 1.5}";
    CHECK(key_name("tangential.x.creepage", turned, Units::si).name == "creepage in x");
    CHECK(total_name("force_x", "tangential: {problem: shift}", Units::si).name == "force in x");
  }

  TEST_CASE("plot scale: texts break at blanks and end with dots where they are too long") {
    CHECK(wrapped("", 10, 2).empty());
    CHECK(wrapped("a force (1 N, 2 N); spin 3 rad/mm", 25, 3) ==
          std::vector<std::string>{"a force (1 N, 2 N);", "spin 3 rad/mm"});
    CHECK(wrapped("a force; its spin", 12, 1) == std::vector<std::string>{"a force;…"});
    CHECK(wrapped("Hertz", 10, 2) == std::vector<std::string>{"Hertz"});
    CHECK(wrapped("wheel on a rail", 8, 3) == std::vector<std::string>{"wheel on", "a rail"});
    CHECK(wrapped("wheel on a rail", 8, 1) == std::vector<std::string>{"wheel…"});
    CHECK(wrapped("µµµµµµ", 4, 2) == std::vector<std::string>{"µµµµ", "µµ"});
  }

  TEST_CASE("plot window: holds the contact with a margin, inside the grid") {
    const Grid grid = plotted_grid(31, 33);
    std::vector<ElementState> division(grid.count(), kExterior);
    CHECK(contact_window(division, grid).empty());
    CHECK(contact_window({}, grid).empty());
    division[grid.index(0, 12)] = kSlip;
    division[grid.index(20, 14)] = kAdhesion;
    const Window window = contact_window(division, grid);
    CHECK(window.mx() == 21);
    CHECK(window.my() == 3);
    const Window wide = with_margin(window, grid);  // a tenth of 21 * 0.5 on each side
    CHECK(wide.ix0 == 0);
    CHECK(wide.ix1 == 23);
    CHECK(wide.iy0 == 8);
    CHECK(wide.iy1 == 19);
    CHECK(united({}, window).mx() == 21);
    CHECK(united(window, {30, 0, 31, 1}).mx() == 31);
  }

  TEST_CASE("plot blocks: the means weighted with their elements have the sum of the field") {
    const Grid grid = plotted_grid(37, 23);
    const std::vector<double> values = random_values(grid.count());
    const Blocks blocks = blocks_of(grid, whole_window(grid), 10);
    CHECK(blocks.bx == 4);
    CHECK(blocks.by == 3);
    CHECK(blocks.pixels.mx == 10);
    CHECK(blocks.pixels.my == 8);
    const std::vector<double> means = block_means(values, grid, blocks, {});
    double sum = 0.0;
    for (int py = 0; py < 8; ++py)
      for (int px = 0; px < 10; ++px)
        sum += means[blocks.pixels.index(px, py)] * std::min(4, 37 - 4 * px) *
               std::min(3, 23 - 3 * py);
    // Rounding of 851 numbers of size 2.
    CHECK(sum ==
          doctest::Approx(std::accumulate(values.begin(), values.end(), 0.0)).epsilon(1e-10));
  }

  TEST_CASE("plot blocks: a block of one element is the element, in its place") {
    const Grid grid = plotted_grid(5, 4);
    const std::vector<double> values = random_values(grid.count());
    const Blocks blocks = blocks_of(grid, {1, 2, 4, 4}, 512);
    CHECK(blocks.single());
    CHECK(blocks.pixels.x(0) == doctest::Approx(grid.x(1)));
    CHECK(blocks.pixels.y(1) == doctest::Approx(grid.y(3)));
    const std::vector<double> means = block_means(values, grid, blocks, {});
    REQUIRE(means.size() == 6);
    CHECK(means[blocks.pixels.index(2, 1)] == values[grid.index(3, 3)]);
  }

  TEST_CASE("plot blocks: only finite values of elements in contact count") {
    const Grid grid = plotted_grid(4, 2);
    const std::vector<double> values = {1.0, 3.0, kInfinity, 7.0, 5.0, 9.0, 1.0, kInfinity};
    const std::vector<ElementState> division = {kAdhesion, kExterior, kExterior, kExterior,
                                                kSlip,     kSlip,     kExterior, kExterior};
    const Blocks blocks = blocks_of(grid, whole_window(grid), 2);
    const std::vector<double> all = block_means(values, grid, blocks, {});
    CHECK(all == std::vector<double>{2.0, 7.0, 7.0, 1.0});
    const Blocks squares{whole_window(grid), 0, 0, 2, 2, {2, 1, 1.0, 0.5, -3.0, 7.0, {}}};
    const std::vector<double> contact = block_means(values, grid, squares, division);
    CHECK(contact[0] == doctest::Approx(5.0));
    CHECK(std::isnan(contact[1]));
    CHECK(block_states(division, grid, squares) == std::vector{kSlip, kExterior});
  }

  TEST_CASE("plot enlarge: pixels are repeated over the same area") {
    Grid pixels = plotted_grid(3, 2);
    std::vector<double> values = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    enlarge(values, pixels, 7);
    CHECK(pixels.mx == 9);
    CHECK(pixels.my == 6);
    CHECK(pixels.mx * pixels.dx == doctest::Approx(1.5));
    CHECK(values[pixels.index(0, 0)] == 1.0);
    CHECK(values[pixels.index(8, 2)] == 3.0);
    CHECK(values[pixels.index(5, 3)] == 5.0);
    enlarge(values, pixels, 7);
    CHECK(pixels.mx == 9);
  }

  TEST_CASE("plot contour: runs round the contact along the edges of elements") {
    const Grid grid = plotted_grid(5, 4);
    std::vector<ElementState> states(grid.count(), kExterior);
    CHECK(contact_outline(states, grid).empty());
    for (const auto& [ix, iy] : {std::pair{0, 0}, {1, 0}, {1, 1}})
      states[grid.index(ix, iy)] = kSlip;
    const std::vector<Segment> outline = contact_outline(states, grid);
    CHECK(outline.size() == 6);  // an L, also along the edge of the grid
    double along_x = 0.0;
    double along_y = 0.0;
    for (const Segment& segment : outline) {
      along_x += segment.x1 - segment.x0;
      along_y += segment.y1 - segment.y0;
    }
    CHECK(along_x == doctest::Approx(4 * grid.dx));
    CHECK(along_y == doctest::Approx(4 * grid.dy));
  }

  TEST_CASE("plot arrows: at most as many as asked for, in the contact, of the mean traction") {
    for (const int size : {1, 31, 64, 257}) {
      const Grid grid = plotted_grid(size, 2 * size);
      const std::vector<ElementState> division = ellipse(grid, 0.2 * size, 0.2 * size);
      std::vector<double> u(grid.count(), 0.75);
      std::vector<double> v(grid.count(), -0.5);
      for (std::size_t i = 0; i < u.size(); ++i)
        if (division[i] == kExterior) u[i] = v[i] = 1.0e9;  // must not enter
      const ArrowField field = thin_arrows(u, v, grid, whole_window(grid), division, 25);
      CHECK_FALSE(field.arrows.empty());
      CHECK(field.arrows.size() <= 25 * 26);
      CHECK(field.spacing * 25.0 >= size * grid.dx * (1.0 - 1.0e-9));
      for (const Arrow& arrow : field.arrows) {
        CHECK(arrow.u == doctest::Approx(0.75));
        CHECK(arrow.v == doctest::Approx(-0.5));
        const double x = arrow.x - (grid.x0 + 0.5 * size * grid.dx);
        const double y = arrow.y - (grid.y0 + size * grid.dy);
        CHECK(std::hypot(x, y) < 0.2 * size);
      }
    }
  }

  TEST_CASE("plot arrows: a field of zeros has none") {
    const Grid grid = plotted_grid(8, 8);
    const std::vector<double> zeros(grid.count(), 0.0);
    CHECK(thin_arrows(zeros, zeros, grid, whole_window(grid), {}, 25).arrows.empty());
  }

  TEST_CASE("plot history: iterations of all phases count on, outer ones are at their inner") {
    const auto shown = [](const std::vector<IterationRecord>& history) {
      std::vector<std::pair<int, bool>> points;
      for (const HistoryPoint& point : history_points(history))
        points.emplace_back(point.iteration, point.starts);
      return points;
    };
    using Points = std::vector<std::pair<int, bool>>;
    CHECK(shown({}).empty());
    CHECK(shown({{Phase::normal, 1, 1.0}, {Phase::normal, 5, 0.1}, {Phase::tangential, 1, 1.0}}) ==
          Points{{1, true}, {5, false}, {6, true}});
    // Numbered on through the outer iterations, and from 1 in each.
    for (const int restart : {0, 5})
      CHECK(shown({{Phase::normal, 5, 0.1},
                   {Phase::tangential, 2, 0.1},
                   {Phase::outer, 1, 0.5},
                   {Phase::normal, restart + 1, 0.2},
                   {Phase::normal, restart + 3, 0.1},
                   {Phase::outer, 2, 0.5}}) ==
            Points{{5, true}, {7, true}, {7, true}, {8, true}, {10, false}, {10, true}});
  }

  TEST_CASE("plot layout: panels lie inside the figure and next to each other") {
    for (const int columns : {1, 2, 3}) {
      const std::vector<PanelSize> panels = {
          {380, 340, 104}, {300, 50, 22}, {380, 230, 22}, {42, 340, 104}, {440, 280, 22}};
      const Layout layout = arrange(panels, columns, 60.0, 20.0, PictureFormat::svg);
      REQUIRE(layout.frames.size() == panels.size());
      for (std::size_t i = 0; i < panels.size(); ++i) {
        const Frame& a = layout.frames[i];
        CHECK(a.left >= kPanelLeft);
        CHECK(a.top >= 60.0 + kPanelTop);
        CHECK(a.left + a.width + panels[i].right <= layout.width);
        CHECK(a.top + a.height + kPanelBottom + 20.0 <= layout.height);
        for (std::size_t k = 0; k < i; ++k) {
          const Frame& b = layout.frames[k];
          const bool beside = b.left + b.width + panels[k].right <= a.left - kPanelLeft + 1.0e-9;
          const bool above = b.top + b.height + kPanelBottom <= a.top - kPanelTop + 1.0e-9;
          CHECK((beside || above));
        }
      }
    }
    CHECK(columns_for(1) == 1);
    CHECK(columns_for(4) == 2);
    CHECK(columns_for(5) == 3);
  }

  TEST_CASE("plot layout: a map is to scale") {
    const PanelSize wide = map_size(3.0, 1.0);
    CHECK(wide.width / wide.height == doctest::Approx(3.0));
    const PanelSize high = map_size(1.0e-3, 4.0e-3);
    CHECK(high.height / high.width == doctest::Approx(4.0));
  }

  TEST_CASE("gnuplot text: nothing in it ends the string or the line") {
    CHECK(gnuplot_text("it's") == "'it''s'");
    CHECK(gnuplot_text("a\nplot x\r\t\x7f\x01") == "'a plot x    '");
    CHECK(gnuplot_text("`x` $y @z \"w\" \\n") == "'`x` $y @z \"w\" \\n'");
    CHECK(gnuplot_text("µ ² 漢 😀") == "'µ ² 漢 😀'");
    CHECK(gnuplot_text("\xc2\x85") == "' '");                               // C1 control
    CHECK(gnuplot_text("a\xff\xc2") == "'a\xef\xbf\xbd\xef\xbf\xbd'");      // no UTF-8
    CHECK(gnuplot_text("\xed\xa0\x80").find('\xed') == std::string::npos);  // surrogate
    CHECK(gnuplot_text("\xc0\xa7").find('\xc0') == std::string::npos);      // overlong quote
  }

  TEST_CASE("plot format: the ending of the name says it, others are refused") {
    CHECK(picture_format("a.b/fig.png") == PictureFormat::png);
    CHECK(picture_format("fig.svg") == PictureFormat::svg);
    CHECK(picture_format("fig.pdf") == PictureFormat::pdf);
    CHECK(is_animated(picture_format("fig.gif")));
    CHECK_THROWS_WITH_AS(picture_format("fig.jpg"), doctest::Contains("ends with .jpg"),
                         InputError);
    CHECK_THROWS_WITH_AS(picture_format("a.b/fig"), doctest::Contains("no ending"), InputError);
  }
}
