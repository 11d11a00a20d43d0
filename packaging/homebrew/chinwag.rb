# A formula for a tap. Fill in `sha256` of the source archive at a release (docs/releasing.md); then
# `brew update-python-resources chinwag` writes the resources from it.
class Chinwag < Formula
  include Language::Python::Virtualenv

  desc "Topic-threaded team chat in a terminal: a client, and a server on one SQLite file"
  homepage "https://chinwag.example"
  url "https://chinwag.example/releases/chinwag-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "rust" => :build
  depends_on "certifi"
  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
  end

  service do
    run [opt_bin/"chinwag-server", "serve", "--db", var/"chinwag/team.db"]
    keep_alive successful_exit: false
    log_path var/"log/chinwag.log"
    error_log_path var/"log/chinwag.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/chinwag --version")
    system bin/"chinwag-server", "demo", "--db", testpath/"demo.db"
    system bin/"chinwag-server", "doctor", "--db", testpath/"demo.db"
  end
end
