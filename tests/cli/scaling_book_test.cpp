// The numbers of resources/docs/scaling-book.md are those of the program.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

struct BookRow {
    std::string where, command, field, exact, printed;
};

std::vector<std::string> cells_of(const std::string& words, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(words);
    for (std::string part; std::getline(stream, part, at);) {
        const std::size_t begin = part.find_first_not_of(' ');
        const std::size_t end = part.find_last_not_of(' ');
        parts.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
    }
    return parts;
}

/// The rows of the table whose third column is a command.
std::vector<BookRow> book_rows() {
    std::vector<BookRow> rows;
    std::istringstream document(file_content(source_file("resources/docs/scaling-book.md")));
    for (std::string line; std::getline(document, line);) {
        const std::vector<std::string> cells = cells_of(line, '|');
        const bool of_chapter = cells.size() > 1 && cells[1].size() > 1 && std::isdigit(cells[1][0]) != 0;
        if (of_chapter) { // every such line is a row, and a broken one does not excuse it
            EXPECT_TRUE(cells.size() == 7 && cells[4].find('/') != std::string::npos) << line;
        }
        if (of_chapter && cells.size() == 7) {
            rows.push_back({cells[1] + ": " + cells[2], cells[3], cells[4], cells[5], cells[6]});
        }
    }
    return rows;
}

/// The number of the plan with these steps; "none" where there is none.
std::string number_of_plan(const std::string& steps, const nlohmann::json& answer) {
    for (std::size_t k = 0; k < answer.at("plans").size(); ++k) {
        if (answer["plans"][k].at("plan") == steps) {
            return std::to_string(k);
        }
    }
    return "none";
}

/// The fields with each plan's number in the place of its steps: "/plans/{Multiply, AllReduce_X C}/fits".
std::string numbered(const std::string& fields, const nlohmann::json& answer) {
    std::string made, steps;
    int depth = 0; // steps may have braces too
    for (const char letter : fields) {
        depth -= letter == '}' ? 1 : 0;
        if (letter == '}' && depth == 0) {
            made += number_of_plan(steps, answer);
            steps.clear();
        } else if (depth > 0) {
            steps += letter;
        } else if (letter != '{') {
            made += letter;
        }
        depth += letter == '{' ? 1 : 0;
    }
    return made;
}

/// A field, or fields and given numbers with "x" and "over" between them, from left to right.
double value_of(const std::string& fields, const nlohmann::json& answer) {
    double value = 1;
    bool over = false;
    for (const std::string& word : cells_of(numbered(fields, answer), ' ')) {
        if (word == "x" || word == "over") {
            over = word == "over";
            continue;
        }
        const double next = word.starts_with('/')
                                ? answer.at(nlohmann::json::json_pointer(word)).get<double>()
                                : std::stod(word);
        value = over ? value / next : value * next;
    }
    return value;
}

/// What chapters 1 to 10 and 12 work out, question by question, as numbers in base units: each is in a row of
/// the table for its chapter, or is met otherwise, or has no command for the reason that stands next to it.
struct BookNumber {
    double value = 0;
    const char* otherwise = ""; ///< how it is met without a row of its own, or why it is not
};
struct BookQuestion {
    const char* id;
    std::vector<BookNumber> numbers;
};
const std::vector<BookQuestion> book_questions = {
    {"ch1-ex3", {{0.4995119570522206}, {0.5}}},
    {"ch1-ex5",
     {{240, "240 tokens is what is asked about: the book's approximation of the intensity by the batch"},
      {226.71586715867159},
      {255.21298533709498}}},
    {"ch1-ex6", {{2097152}, {16384}}},
    {"ch1-ex8",
     {{256},
      {137438953472},
      {570425344, "a row has the bytes of one of its 64 tiles"},
      {240.94117647058823}}},
    {"ch1-q2", {{120.1219512195122}}},
    {"ch1-q4", {{1.9990239141044412}}},
    {"ch2-ex1",
     {{49152000000000, "a chip's peak is a number of its file, not worked out from a clock"},
      {196608000000000, "the same"}}},
    {"ch2-ex2", {{4.11264e+18}}},
    {"ch2-ex3", {{11.05499438832772}, {17820000000000}}},
    {"ch2-ex5", {{4096}, {8960}, {64}, {140}, {2240}}},
    {"ch2-ex6", {{8}, {15}, {6}}},
    {"ch2-table",
     {{155.55555555555554},
      {229.16666666666666},
      {163.92857142857142},
      {243.20987654320987},
      {575},
      {700},
      {3055.5555555555557},
      {2550},
      {2188.8888888888887},
      {5111.111111111111}}},
    {"ch2-q1", {{12500000000}, {0.010416666666666666}}},
    {"ch2-q2",
     {{32}, {256}, {5.0432e+16}, {4096000000000}, {2240}, {17920}, {4.11264e+18}, {860160000000000}}},
    {"ch2-q3", {{61333.333333333336}}},
    {"ch2-q4", {{262.7085700518638}, {11.092417059331106}, {8.60867950617284e-05}, {0.00017441491557360406}}},
    {"ch2-q6",
     {{17179869184},
      {0.07158278826666667},
      {0.17895697066666666},
      {0.02120971504197531},
      {0.0013953193245888325},
      {0, "a word: `bound` of the same command is links"},
      {0.17895697066666666}}},
    {"ch2-app1", {{262144, "no time has the size of the registers"}, {4096, "the same of the vector units"}}},
    {"ch2-pad",
     {{128, "a GEMM has the rate of its type; what padding wastes is in the measured tables alone"},
      {384, "a GEMM has the rate of its type; what padding wastes is in the measured tables alone"},
      {0.6103515625, "the same"},
      {0.2288818359375, "the same"}}},
    {"ch3-pq1",
     {{64},
      {4096},
      {1048576},
      {3.0840470588235295e-07, "its bandwidth is a GPU's, and the division is all there is"}}},
    {"ch3-lat1", {{45000}}},
    {"ch3-pq2",
     {{33554432},
      {0.0003728270222222222},
      {0.0005592405333333334},
      {32768},
      {7.281777777777778e-07, "a row has three such hops"},
      {3e-06}}},
    {"ch3-ar",
     {{0.00035555555555555557}, {0.00035555555555555557}, {0.0007111111111111111}, {2, "of two rows"}}},
    {"ch3-a2a2",
     {{8.888888888888889e-05}, {2.2222222222222223e-05}, {5.555555555555556e-06}, {2.2222222222222223e-05}}},
    {"ch3-kron",
     {{7, "a definition of transposes; verify multiplies with both"},
      {7, "a definition of transposes; verify multiplies with both"},
      {17, "the same"}}},
    {"ch3-q1", {{16}}},
    {"ch3-q4",
     {{2550},
      {2550},
      {1.6062745098039215, "a row has the D at which X = 4 is on the edge"},
      {1024, "two rows are equal at this D"},
      {5100, "two rows are equal at this D"},
      {0.0029826161777777777},
      {0.0003728270222222222},
      {0.009581800677786492},
      {0.0059652323555555555}}},
    {"ch3-q9", {{4, "of two rows"}}},
    {"ch3-zh1", {{0.0003728270222222222}, {0.0005592405333333334}}},
    {"ch4-ex1", {{8192}, {8388608}, {4294967296}}},
    {"ch4-ex4", {{704643072}, {150994944}, {4227858432}, {905969664}, {402653184}}},
    {"ch4-ex6",
     {{83886080000000},
      {4194304000000},
      {29360128000000},
      {1.3333333333333333, "plan --recompute full counts it for a whole model"}}},
    {"ch4-ex7", {{8589934592}}},
    {"ch4-q2", {{137438953472}, {549755813888}, {4294967296}}},
    {"ch4-q3", {{32768}}},
    {"ch4-q4",
     {{2048, "a fused attention is not a GEMM"},
      {3640.8888888888887, "the same"},
      {0.9998779445868424, "the same"},
      {7.9921951219512195, "the same"},
      {480, "the same"},
      {240, "the same"}}},
    {"ch4-q7",
     {{1.5196572e+25, "hours times a peak, no model of ours in it"},
      {3.2856e+24, "the same"},
      {0.21620665502719955, "the same"}}},
    {"ch5-ex1",
     {{10, "a plan keeps each weight in fp32 too, and gradients: 16; a row has the optimizer's 12"},
      {9600000000, "the memory over that"}}},
    {"ch5-ex2", {{2550}, {1275}, {850}, {7616000}}},
    {"ch5-ex3",
     {{0.011930464711111111}, {0.011930464711111111}, {0.0059652323555555555}, {0.0059652323555555555}, {1}}},
    {"ch5-ex5", {{6.3e+24}, {18823.529411764706}, {16.87933275592512}}},
    {"ch5-ex6",
     {{11.764705882352942},
      {20400},
      {40800},
      {19.607843137254903},
      {1, "yes: a row has a ratio above 1 for 8 chips"},
      {0, "no: a row has a ratio below 1 for 16"}}},
    {"ch5-ex7", {{5100}, {11.764705882352942}, {11.764705882352942}}},
    {"ch5-ex9", {{99.22027587890625}, {8.566797385620916}}},
    {"ch5-ex9b", {{396.881103515625}}},
    {"ch5-ex10",
     {{1.0000490014906995, "the root of tokens over the 99.22 of a row; no whole split of chips has it"},
      {2.007843137254902, "the same"},
      {2.926909186432151, "the same"}}},
    {"ch5-ex12",
     {{25000000000, "no machine file has the network between pods"}, {6250000000, "the same"}, {2240}}},
    {"ch5-table",
     {{12582912000000},
      {0, "data parallelism exchanges nothing forward"},
      {2147483648},
      {1073741824},
      {2147483648},
      {201326592000000},
      {32768000000},
      {32768000000},
      {786432000000},
      {195108864, "the sum of two rows"},
      {390217728, "twice the sum of two rows"}}},
    {"ch6-flops", {{420000000000}, {0.0009150326797385621}}},
    {"ch6-days", {{3829656.8627450983}, {44.3247322076979}}},
    {"ch6-shard1", {{1024}}},
    {"ch6-q1",
     {{116.90848214285714, "tokens over chips, which is not whole: shard refuses it"},
      {113.39460100446429},
      {1, "yes: 116.9 are more than the 113.4 of a row"},
      {1047500},
      {1, "no machine file has the network between pods"},
      {11.081183051924475}}},
    {"ch6-q2b",
     {{32.12355815445391},
      {61.05863131009615},
      {234.05714285714285, "tokens over chips, which is not whole: shard refuses it"}}},
    {"ch7-ex1", {{240.2439024390244}, {120.1219512195122}, {240.2439024390244}, {295.5223880597015}}},
    {"ch7-ex2",
     {{240, "a fused attention has no bytes in prefill: its scores are not written"}, {0.9998779445868424}}},
    {"ch7-pq", {{819200000}, {0.002536341463414634}, {0.020857486690602944, "the sum of two rows"}}},
    {"ch7-params",
     {{8493465600, "the sum of two rows"},
      {4194304000, "the sum of two rows"},
      {327680000},
      {13015449600},
      {26030899200},
      {83886080},
      {6710886400},
      {1, "yes: four times 6.71e9 are more than the 26.03e9 of a row"}}},
    {"ch7-ex3",
     {{64, "the book's round beta of 8; a row has the exact one"},
      {9},
      {8.88888888888889},
      {56.888888888888886}}},
    {"ch7-ex4", {{2188.8888888888887}, {5111.111111111111}, {7.48507614213198}}},
    {"ch7-q6",
     {{1656250000},
      {0.0020198170731707318},
      {14343750000, "16 GB less the 1.66 of a row"},
      {14, "212 GB over 16 GB, rounded up"},
      {16, "the next power of two"}}},
    {"ch7-appA",
     {{536870912},
      {0.000327360312195122},
      {0.00036585365853658537, "the book's round number of parameters"}}},
    {"ch7-appC",
     {{360000}, {131072}, {1, "yes: 131072 are fewer than the 360000 of a row"}, {2.9127111111111113}}},
    {"ch7-ex6", {{128}, {3.515625, "a machine file has no memory of its host"}}},
    {"ch8-cost", {{3.3e+17}, {3.934285714285714e+17}, {5.91e+17}}},
    {"ch8-kv", {{163840}, {5368709120}, {1288490188800}, {84.9056368}}},
    {"ch8-mem",
     {{42949672960},
      {112949672960, "the book takes 70e9 weights for the model's 70.55e9"},
      {7.05935456, "the same"},
      {0, "a shape in words"}}},
    {"ch8-shard",
     {{22.487843137254902},
      {56, "the book's round beta of 8"},
      {1.1650844444444444e-05},
      {1.8123535802469137e-05},
      {4.769157847715736e-06},
      {0, "a word: the longest of the three rows"}}},
    {"ch8-disagg",
     {{2.993421052631579, "of given times; serve has prefill_replicas_per_decode_replica of its own"}}},
    {"ch8-q1", {{810000000000}, {0.004111675126903553}, {0.49390243902439024}, {0.9878048780487805}}},
    {"ch8-q2",
     {{65536},
      {64424509440},
      {128849018880},
      {6881280},
      {5, "4.53 of a row, rounded up"},
      {9, "8.55 of a row, rounded up"}}},
    {"ch9-ffw", {{17592186044416}, {0.09560970676313044}}},
    {"ch9-local", {{8}, {1024}, {8192}, {16384}}},
    {"ch9-rs", {{134217728}, {0.0011184810666666667}}},
    {"ch10-explicit", {{2, "two collectives by name: a test below"}}},
    {"ch10-shmap", {{64}, {224, "elements of an array, which no question prints"}}},
    {"ch10-cm",
     {{512},
      {2048},
      {4, "steps, one more than permutes"},
      {3},
      {1073741824},
      {1.2745901639344261, "a quotient of two measured times"}}},
    {"ch12-dp", {{2200}, {2475}, {39600000}, {3300}, {6758400}}},
    {"ch12-moe", {{79200}}},
    {"ch12-tp",
     {{12.727272727272727}, {11.313131313131313}, {19.313131313131315, "8 and the 11.31 of a row"}}},
    {"ch12-ds", {{62914560}, {30720}, {1024}, {2048}}},
    {"ch12-mfu",
     {{0.4129292929292929},
      {0.4706060606060606},
      {0.49404040404040406},
      {0.4642424242424243},
      {0.42393939393939395},
      {0.42474747474747476},
      {0.43717171717171716},
      {0.47919191919191917},
      {0.46454545454545454}}},
    {"ch12-bubble",
     {{9, "units of a forward pass: a row has the bubble, a third of it"},
      {6, "the same"},
      {0.3333333333333333},
      {0.6521739130434783},
      {0.189873417721519}}},
    {"ch12-regs", {{262144, "a machine has no registers"}, {8, "the same"}}},
    {"ch12-l2", {{1.6417910447761193, "a machine's L2 has a size, and no rate"}}},
    {"ch12-table",
     {{155, "our A100 has 312 TFLOP/s by its data sheet: 156 at the book's 2.0 TB/s"},
      {291.1764705882353},
      {206.25},
      {287.5, "our B200 has 2,500 TFLOP/s by the planner's paper: 312.5 at 8.0 TB/s"}}},
    {"ch12-sp",
     {{128, "no question lists a cluster's switches"},
      {512, "the same"},
      {32, "the same"},
      {560, "the same"},
      {256, "the same"}}},
    {"ch12-sp2",
     {{3600000000000, "eight ports of a level: a product"},
      {12800000000000, "the same"},
      {51200000000000, "the same"},
      {400000000000, "the same"}}},
    {"ch12-v5p", {{540000000000, "six links of a chip: a product"}}},
    {"ch12-sharp",
     {{1.75, "of two rows"}, {58720256}, {481000000000, "a measured rate times a measured gain"}}},
    {"ch12-a2a-x",
     {{4.5, "2.571 by two rows: the book leaves out what stays in a chip and, over two nodes, in a node"}}},
    {"ch12-appA", {{3.96, "a quotient of two data sheets"}}},
    {"ch12-appB",
     {{3600000000000, "ports and links of switches: products"},
      {12800000000000, "the same"},
      {51200000000000, "the same"},
      {25600000000000, "the same"},
      {51200000000000, "the same"},
      {25000000000, "the same"},
      {50000000000, "the same"}}},
};

/// "4, layer": 4; "ch12-sharp": 12.
int chapter_of(const std::string& words) {
    return std::stoi(words.substr(words.starts_with("ch") ? 2 : 0));
}

TEST(CliScalingBook, EveryQuestionIsARowOrSaysWhyNot) {
    const std::vector<BookRow> rows = book_rows();
    EXPECT_EQ(book_questions.size(), 92U);
    int in_rows = 0, otherwise = 0;
    for (const BookQuestion& question : book_questions) {
        for (const BookNumber& number : question.numbers) {
            if (*number.otherwise != 0) {
                std::printf("%-9s %g has no row: %s\n", question.id, number.value, number.otherwise);
                ++otherwise;
                continue;
            }
            ++in_rows;
            EXPECT_TRUE(std::ranges::any_of(rows,
                                            [&](const BookRow& row) {
                                                return chapter_of(row.where) == chapter_of(question.id) &&
                                                       std::abs(std::stod(row.exact) - number.value) <=
                                                           1e-3 * std::abs(number.value);
                                            }))
                << question.id << ' ' << number.value;
        }
    }
    std::printf("%d numbers in rows, %d not\n", in_rows, otherwise);
}

TEST(CliScalingBook, NumbersAreTheEngines) {
    const std::vector<BookRow> rows = book_rows();
    ASSERT_GE(rows.size(), 200u);
    std::map<int, int> chapters;
    for (const BookRow& row : rows) {
        ++chapters[chapter_of(row.where)];
        const nlohmann::json answer = meshslice_json(cells_of(row.command, ' '));
        const double exact = std::stod(row.exact);
        ASSERT_NO_THROW(EXPECT_NEAR(value_of(row.field, answer), exact, 1e-3 * std::abs(exact))
                        << row.where << "\n"
                        << row.command)
            << row.where << "\n"
            << row.command << "\n"
            << row.field;
        // What the book prints is the same quantity, rounded on the way.
        if (!row.printed.empty()) {
            EXPECT_NEAR(std::stod(row.printed), exact, 0.11 * exact) << row.where;
        }
    }
    EXPECT_GE(chapters[1], 14);
    EXPECT_GE(chapters[2], 41);
    EXPECT_GE(chapters[3], 56);
    EXPECT_GE(chapters[4], 16);
    EXPECT_GE(chapters[5], 35);
    EXPECT_GE(chapters[6], 11);
    EXPECT_GE(chapters[7], 30);
    EXPECT_GE(chapters[8], 20);
    EXPECT_GE(chapters[9], 8);
    EXPECT_GE(chapters[10], 5);
    EXPECT_GE(chapters[12], 30);
}

/// Chapter 10: where the contracted axis is sharded, how the result is to lie says which collective follows.
TEST(CliScalingBook, HowTheResultLiesSaysTheCollective) {
    const auto first_plan = [](const char* gemm) {
        return meshslice_json(
                   {"shard", gemm, "--mesh", "X=8,Y=2", "--sizes", "B=64,D=4096,F=8192"})["plans"][0]["plan"]
            .get<std::string>();
    };
    EXPECT_EQ(first_plan("A[B_X, D_Y] * W[D_Y, F] -> C[B_X, F_Y]"), "Multiply, ReduceScatter_{Y, F} C");
    EXPECT_EQ(first_plan("A[B_X, D_Y] * W[D_Y, F] -> C[B_X, F]"), "Multiply, AllReduce_Y C");
}

} // namespace
} // namespace meshslice::test
