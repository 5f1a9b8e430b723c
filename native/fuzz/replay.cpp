// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target without libFuzzer, with any compiler: each file of the folders given, as it
// is, and then as many random changes of them as asked for. The same seed, the same inputs.
//   replay_packets [--rounds N] [--seed N] FOLDER...
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* content, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::vector<Input> read_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<Input> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

class Mutator {
 public:
  Mutator(const std::vector<Input>& seeds, std::uint64_t seed) : seeds_(seeds), random_(seed) {}

  Input next() {
    Input input = seeds_[below(seeds_.size())];
    for (std::size_t left = 1 + below(6); left > 0; --left) {
      change(input);
    }
    return input;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change(Input& input) {
    const auto at = static_cast<std::ptrdiff_t>(below(input.size() + 1));
    const auto begin = input.begin() + at;
    const auto length = static_cast<std::ptrdiff_t>(
        std::min(below(24), static_cast<std::size_t>(input.end() - begin)));
    switch (below(4)) {
      case 0:
        if (begin != input.end()) {
          *begin = static_cast<std::uint8_t>(random_());
        }
        break;
      case 1:
        input.erase(begin, begin + length);
        break;
      case 2: {
        const Input copy(begin, begin + length);
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(input.size() + 1)),
                     copy.begin(), copy.end());
        break;
      }
      default: {
        const Input& other = seeds_[below(seeds_.size())];
        const std::size_t from = below(other.size());
        const std::size_t size = std::min(below(120), other.size() - from);
        const auto part = std::span(other).subspan(from, size);
        input.insert(begin, part.begin(), part.end());
        break;
      }
    }
  }

  const std::vector<Input>& seeds_;
  std::mt19937_64 random_;
};

std::uint64_t parse(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::uint64_t rounds = 0;
  std::uint64_t seed = 1;
  std::vector<Input> seeds;
  for (int index = 1; index < argument_count; ++index) {
    const std::string_view argument = arguments[index];
    if (argument == "--rounds" && index + 1 < argument_count) {
      rounds = parse(arguments[++index]);
    } else if (argument == "--seed" && index + 1 < argument_count) {
      seed = parse(arguments[++index]);
    } else {
      const auto more = read_folder(argument);
      seeds.insert(seeds.end(), more.begin(), more.end());
    }
  }
  if (seeds.empty()) {
    std::fputs("no inputs: name a folder that has some\n", stderr);
    return 2;
  }
  for (const Input& input : seeds) {
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  Mutator mutator(seeds, seed);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const Input input = mutator.next();
    // Kept for the analysis of a crash.
    std::ofstream("last-input", std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()),
               static_cast<std::streamsize>(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu inputs, %llu changed ones, seed %llu\n", seeds.size(),
              static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(seed));
  return 0;
}
