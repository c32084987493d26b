"""check.py WHEEL: see run.sh."""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import jsonschema
import yaml

REPO = pathlib.Path(__file__).resolve().parents[2]
VARIABLE = re.compile(r"\$\$|\$\{([A-Z_]+)(?:(:?[-?])([^}]*))?\}|\$([A-Za-z_]\w*)|(\$)")
SECRETS = {"POSTGRES_PASSWORD", "CODECITE_READER_PASSWORD", "CODECITE_HTTP_TOKEN"}


def interpolated(value, given):
    """As Compose does it, which looks at the whole file, whatever the profile."""
    def one(match):
        name, how, default, bare, stray = match.groups()
        assert not bare and not stray, f"a lone $ or an unbraced variable in {value!r}"
        if name is None:
            return "$"
        if given.get(name):
            return given[name]
        assert how != ":?", f"{name} is required: {default}"
        assert how == ":-", f"{name} has neither a default nor an error"
        return default
    if isinstance(value, dict):
        return {key: interpolated(item, given) for key, item in value.items()}
    if isinstance(value, list):
        return [interpolated(item, given) for item in value]
    return VARIABLE.sub(one, value) if isinstance(value, str) else value


def fits_the_schema(compose, schema):
    jsonschema.Draft201909Validator.check_schema(schema)
    errors = list(jsonschema.Draft201909Validator(schema).iter_errors(compose))
    assert not errors, "; ".join(f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in errors)


def starts_without_the_bridge(compose, _):
    interpolated(compose, {"POSTGRES_PASSWORD": "x"})
    always = {name for name, service in compose["services"].items() if not service.get("profiles")}
    assert always == {"postgres"}, always
    try:
        interpolated(compose, {})
    except AssertionError:
        return
    raise AssertionError("it starts without POSTGRES_PASSWORD")


def names_lead_somewhere(compose, _):
    for name, service in compose["services"].items():
        for other in service.get("depends_on", {}):
            there = compose["services"][other]
            assert set(there.get("profiles", [])) <= set(service.get("profiles", [])), f"{name} needs {other}, which is off"
            if service["depends_on"][other]["condition"] == "service_healthy":
                assert "healthcheck" in there, f"{other} never gets healthy"
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in compose["volumes"], volume
        build = service["build"]
        # scripts/image.sh carries out what this reads.
        subprocess.run([REPO / "scripts/dockerfile.py", REPO / build["context"] / build["dockerfile"]], check=True, stdout=subprocess.DEVNULL)


def every_service_is_confined(compose, _):
    for name, service in compose["services"].items():
        assert service.get("user") == "postgres", f"{name} may run as root"
        assert service.get("cap_drop") == ["ALL"] and "cap_add" not in service, f"{name} has capabilities"
        assert service.get("security_opt") == ["no-new-privileges:true"], name
        for key in ("privileged", "network_mode", "pid", "ipc", "devices"):
            assert key not in service, f"{name}: {key}"
        for port in service.get("ports", []):
            assert re.fullmatch(r"127\.0\.0\.1:\d+:\d+", interpolated(port, {})), f"{name}: {port} is open to other machines"
        for key, value in service.get("environment", {}).items():
            if re.search("PASSWORD|TOKEN", key):
                assert (m := re.fullmatch(r"\$\{(\w+):[-?].*\}", value)) and m[1] in SECRETS, f"{name}: {key} stands in the file"
                assert value.partition(":-")[2] in ("", "}"), f"{name}: {key} has a default"


def the_bridge_only_reads(compose, _):
    bridge, reader = compose["services"]["bridge"], compose["services"]["reader"]
    role = re.search(r"ALTER ROLE (\w+) LOGIN NOSUPERUSER", (REPO / "scripts/reader.sql").read_text())[1]
    assert bridge["environment"]["PGUSER"] == role, role
    assert bridge["environment"]["PGPASSWORD"] == reader["environment"]["CODECITE_READER_PASSWORD"]
    assert not any(key.startswith("CODECITE_ENABLE") for key in bridge["environment"])
    assert bridge.get("read_only") is True and reader.get("read_only") is True
    assert f"COPY scripts/reader.sql {reader['entrypoint'][-1]}" in (REPO / "Dockerfile.postgres").read_text()


def the_bridge_knows_its_arguments(compose, _):
    bridge = compose["services"]["bridge"]
    words = bridge["entrypoint"] + bridge["command"]
    assert words[:2] == ["codecite", "serve"], words
    port = words[words.index("--port") + 1]
    assert bridge["ports"][0].endswith(f":{port}") and f"/{port} " in bridge["healthcheck"]["test"][-1], port
    assert words[words.index("--host") + 1] != "0.0.0.0" or "--allow-host" in words, "0.0.0.0 says no name of its own"
    if command := os.environ.get("CODECITE"):
        shown = subprocess.run([command, "serve", "--help"], capture_output=True, text=True, check=True).stdout
        for word in words[2:]:
            assert not word.startswith("--") or re.search(rf"^\s+{word}\b", shown, re.MULTILINE), f"serve has no {word}"


CHECKS = [fits_the_schema, starts_without_the_bridge, names_lead_somewhere, every_service_is_confined, the_bridge_only_reads,
          the_bridge_knows_its_arguments]
# What each check must refuse.
FAULTS = {
    "fits_the_schema": lambda c: c["services"]["bridge"].update(restrat="no"),
    "starts_without_the_bridge": lambda c: c["services"]["bridge"]["environment"].update(CODECITE_HTTP_TOKEN="${CODECITE_HTTP_TOKEN:?x}"),
    "names_lead_somewhere": lambda c: c["services"]["postgres"].update(depends_on={"reader": {"condition": "service_started"}}),
    "every_service_is_confined": lambda c: c["services"]["bridge"].update(ports=["8765:8765"]),
    "the_bridge_only_reads": lambda c: c["services"]["bridge"]["environment"].update(PGUSER="codecite"),
    "the_bridge_knows_its_arguments": lambda c: c["services"]["bridge"]["command"].remove("--allow-host")
    or c["services"]["bridge"]["command"].remove("--allow-host"),
}


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        schema = json.loads(wheel.read("compose/config/compose_spec.json"))
    compose = yaml.safe_load((REPO / "docker-compose.yml").read_text())
    passed = failed = 0
    for check in CHECKS:
        try:
            check(compose, schema)
            spoiled = copy.deepcopy(compose)
            FAULTS[check.__name__](spoiled)
            try:
                check(spoiled, schema)
            except AssertionError:
                passed += 1
                continue
            raise AssertionError("a fault was not seen")
        except (AssertionError, KeyError, ValueError, subprocess.CalledProcessError) as error:
            failed += 1
            print(f"not ok: {check.__name__}: {error}")
    print("docker-compose.yml: the Compose Specification's schema and our promises; no engine was asked")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
