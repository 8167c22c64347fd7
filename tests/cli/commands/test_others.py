"""doctor, completion, --version: they run anywhere and tell the truth."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from fake_providers import BRAVE_KEY, Providers

from webtool import registry
from webtool.cli.commands import doctor
from webtool.setup import mcp_hosts


def run(archive, *words, **environ):
    environment = {"PATH": os.environ["PATH"], **environ}
    return subprocess.run([str(archive), *words], capture_output=True, timeout=60, env=environment)


def test_doctor_reports_every_check(archive, tmp_path):
    done = run(archive, "doctor", "--json", HOME=str(tmp_path))
    findings = json.loads(done.stdout)
    assert set(findings) == {"python", "settings", "tls", "proxies", "cache", "keys", "browser", "tools"}
    assert {one["state"] for one in findings.values()} <= {"ok", "note", "bad"}
    assert findings["keys"]["text"].startswith("brave missing, google missing")


def test_doctor_names_problems_and_hides_secrets(archive, tmp_path):
    done = run(
        archive, "doctor", HOME=str(tmp_path), BRAVE_API_KEY="abcdefghijklmnop",
        WEBTOOL_CACHE_PATH=str(tmp_path), WEBTOOL_BROWSER="/nowhere",
    )  # fmt: skip
    text = done.stdout.decode()
    assert done.returncode == 1
    assert "bad  cache" in text
    assert "bad  browser" in text
    assert "brave found" in text
    assert "abcdefgh" not in text


HELP = ["crawl", "crawl https://x.example/ --depth 2", "extract --batch", "batch - --retry 2", "config --no-cache"]


@pytest.mark.parametrize("words", HELP)
def test_help_on_a_command_may_stand_beside_its_other_words(archive, words):
    done = run(archive, *words.split(), "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) > 5


def test_doctor_names_members_of_config_json_that_are_not_settings(archive, tmp_path):
    (tmp_path / "webtool").mkdir()
    (tmp_path / "webtool" / "config.json").write_text('{"deadlin": 3}', encoding="utf-8")
    text = run(archive, "doctor", HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path)).stdout.decode()
    assert "config.json is not a setting. Did you mean deadline?" in text


def test_doctor_finds_where_it_is_installed(archive, tmp_path):
    assert "nowhere" in run(archive, "doctor", HOME=str(tmp_path)).stdout.decode()
    assert run(archive, "mcp", "--install", "cursor", "codex", HOME=str(tmp_path)).returncode == 0
    text = run(archive, "doctor", HOME=str(tmp_path)).stdout.decode()
    hosts = "cursor, codex" if sys.version_info >= (3, 11) else "cursor"  # before, Python reads no TOML
    assert f"ok   tools       in the settings of the MCP hosts {hosts}" in text
    settings = tmp_path / ".cursor" / "mcp.json"
    settings.write_text(settings.read_text().replace(str(archive), "/gone/webtool.pyz"))
    text = run(archive, "doctor", HOME=str(tmp_path)).stdout.decode()
    assert "bad  tools       settings of MCP hosts name files that no longer exist: cursor (/gone/webtool.pyz)" in text


def test_doctor_sends_nothing_without_online(archive, tmp_path):
    with Providers() as providers:
        environ = {**providers.environ(WEBTOOL_SEARCH_INTERVAL="0"), "HOME": str(tmp_path)}
        run(archive, "doctor", **environ)
        assert providers.sent() == []
        providers.answer("google", 403, {"error": {"code": 403, "message": "no", "status": "PERMISSION_DENIED"}})
        done = run(archive, "doctor", "--online", "--json", **environ)
        findings = json.loads(done.stdout)
        assert {"dns", "connection", "brave", "google", "searxng", "duckduckgo"} <= set(findings)
        assert findings["brave"]["text"].startswith("answered with 1 result in ")
        assert findings["connection"]["text"].startswith(f"{providers.origin}/ answered with status 404 in ")
        assert (findings["google"]["state"], "(AUTH_INVALID)" in findings["google"]["text"]) == ("bad", True)
        assert done.returncode == 1
        assert BRAVE_KEY not in done.stdout.decode()
        before = len(providers.sent())
        findings = json.loads(run(archive, "doctor", "--online", "--json", "--offline", **environ).stdout)
        assert (findings["online"]["state"], len(providers.sent())) == ("note", before)


@pytest.mark.parametrize("command", ["doctor", "tools", "install", "completion"])
def test_each_command_prints_its_help(archive, command):
    done = run(archive, command, "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(f"Usage: webtool {command}".encode())
    assert done.stdout.count(b"\n") >= 4


def test_doctor_names_a_setting_that_cannot_be_used(archive, tmp_path):
    done = run(archive, "doctor", HOME=str(tmp_path), WEBTOOL_DEADLINE="soon")
    assert done.returncode == 1
    assert "WEBTOOL_DEADLINE is 'soon'" in done.stdout.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_commands_and_flags(archive, shell):
    done = run(archive, "completion", shell)
    text = done.stdout.decode()
    assert done.returncode == 0
    for command in registry.TOOLS:
        assert command.split()[-1] in text
    assert "max-bytes" in text
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=done.stdout, timeout=20).returncode == 0


# (words so far, what may follow)
COMPLETED = [
    (["fe"], ["fetch"]),
    (["fetch", "--off"], ["--offset"]),
    (["help", "se"], ["search", "settings"]),
    (["mcp", "--print-config", "c"], [host for host in mcp_hosts.HOSTS if host.startswith("c")]),
    (["fetch", "x", "--mode", "r"], ["readable", "raw"]),
    (["open", "x", "--mode", ""], ["full", "readable", "raw", "rendered"]),
    (["search", "x", "--safesearch", ""], ["off", "moderate", "strict"]),
    (["fetch", "x", "--exit-zero", ""], ["auto", "on", "off"]),
    (["cache", "p"], ["purge"]),
    (["cache", "purge", "--o"], ["--older-than-days", "--output"]),
    (["cache", "get", "--max"], ["--max-tokens"]),
    (["cache", "get", "--links", ""], ["inline", "refs", "none"]),
    (["cache", "purge", "--links", "i"], []),
    (["cache", "purge", "--exit-zero", "o"], ["on", "off"]),
    (["batch", "--per"], ["--per-host"]),
    (["batch", "--screen"], []),
    (["open", "--sa"], ["--save"]),
    (["mcp", "--un"], ["--uninstall"]),
    (["doctor", "--o"], ["--online"]),
    (["help", "cr"], ["crawl", "credentials"]),
    (["crawl", "--max-"], ["--max-pages", "--max-wait"]),
    (["crawl", "x", "--mode", "r"], ["readable", "rendered"]),
    (["fetch", "--mode", "=", "ra"], ["raw"]),  # --mode=ra, as bash splits it
    (["fetch", "--mode", "="], ["full", "readable", "raw"]),
    (["fetch", "--output", "="], []),  # files
    (["fetch", "my f"], []),  # no word: bash completes it as a file, with the blank
]


def test_bash_completes_commands_flags_and_values(archive, tmp_path):
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    script = run(archive, "completion", "bash").stdout.decode()
    for words, _ in COMPLETED:
        line = " ".join(f"'{word}'" for word in ("webtool", *words))
        script += f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _webtool; echo "${{COMPREPLY[*]}}"\n'
    done = subprocess.run(["bash"], input=script.encode(), capture_output=True, timeout=20, cwd=tmp_path)
    lines = done.stdout.decode().split("\n")
    for (words, expected), line in zip(COMPLETED, lines):
        assert sorted(line.split()) == sorted(expected), words


# (line so far, a word that is offered or "", a word that is not)
IN_FISH = [
    ("webtool cache ", "purge", "--older-than-days"),
    ("webtool cache purge --", "--older-than-days", "--links"),
    ("webtool cache get --", "--links", "--older-than-days"),
    ("webtool cache get ", "", "purge"),
    ("webtool cite get --", "--note", "--links"),
    ("webtool fetch --off", "--offset", "--older-than-days"),
]


@pytest.mark.parametrize(("line", "offered", "other"), IN_FISH)
def test_fish_completes_the_flags_of_one_command(archive, tmp_path, line, offered, other):
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    script = run(archive, "completion", "fish").stdout.decode() + f"\ncomplete -C'{line}'\n"
    done = subprocess.run(["fish"], input=script.encode(), capture_output=True, timeout=20, cwd=tmp_path)
    words = [row.partition("\t")[0] for row in done.stdout.decode().split("\n")]
    assert not offered or offered in words
    assert other not in words


def test_fish_completes_the_values_of_every_command(archive):
    lines = run(archive, "completion", "fish").stdout.decode().split("\n")
    for command, values in (("fetch", "full readable raw"), ("crawl", "readable full rendered")):
        assert f"complete -c webtool -n '__fish_seen_subcommand_from {command}' -l mode -x -a '{values}'" in lines


@pytest.mark.parametrize(
    "words", [["completion"], ["completion", "tcsh"], ["install"], ["tools", "--what"], ["doctor", "x"]]
)
def test_wrong_words_get_a_hint(archive, words):
    done = run(archive, *words)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 2


def test_doctor_names_the_variables_whose_certificates_are_used(monkeypatch, tmp_path):
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/a.pem")
    monkeypatch.setenv("CURL_CA_BUNDLE", "/b.pem")  # webtool.net.tls takes the first one
    assert doctor.CHECKS["tls"]()[1].endswith("certificates from REQUESTS_CA_BUNDLE")
