# SPDX-License-Identifier: Apache-2.0
class Jvmdebug < Formula
  desc "Java debugger without an IDE"
  homepage "https://github.com/jvmdebug/jvmdebug"
  version "0.1.0"
  license "Apache-2.0"

  base = "https://github.com/jvmdebug/jvmdebug/releases/download/v#{version}"
  on_macos do
    depends_on arch: :arm64
    on_arm do
      url "#{base}/jvmdebug-darwin-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end
  on_linux do
    on_arm do
      url "#{base}/jvmdebug-linux-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "#{base}/jvmdebug-linux-x64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    libexec.install Dir["*"]
    bin.write_exec_script libexec/"jvmdebug"
  end

  test do
    assert_match "jvmdebug #{version}", shell_output("#{bin}/jvmdebug --version")
  end
end
