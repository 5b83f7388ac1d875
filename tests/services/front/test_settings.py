"""Settings: read from the environment, listed with their meaning, refused when they make no sense."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from junto.table.settings import Settings, describe


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables set the settings, lists with commas; what the program says goes before."""
    monkeypatch.setenv("JUNTO_GRPC_PORT", "7001")
    monkeypatch.setenv("JUNTO_CORS_ORIGINS", "https://a.example, https://b.example")
    monkeypatch.setenv("JUNTO_HOST", "::1")
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")

    settings = Settings(host="127.0.0.1")

    assert (settings.host, settings.grpc_port) == ("127.0.0.1", 7001)
    assert settings.cors_origins == ("https://a.example", "https://b.example")
    assert settings.ray_address == "ray://head:10001"


def test_every_setting_is_explained() -> None:
    """`junto config` has a variable, a default and a sentence for each setting."""
    described = list(describe(Settings()))

    assert len(described) == len(Settings.model_fields)
    for setting in described:
        assert setting.variable.startswith("JUNTO_")
        assert setting.meaning.endswith("."), setting.variable


@pytest.mark.parametrize(
    "redis_url",
    [
        "rediss://user:hunter2@redis.example/0",
        "redis+sentinel://redis.example/main?sentinel_password=hunter2",
    ],
)
def test_no_secret_is_shown(redis_url: str) -> None:
    """A listing of the settings can be pasted into a report."""
    settings = Settings(redis_url=redis_url, redis_password="hunter2")

    shown = " ".join(f"{setting.value} {setting.default}" for setting in describe(settings))

    assert "hunter2" not in shown
    assert "redis.example" in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("grpc_port", 70000),
        ("grpc_port", "many"),
        ("shards", 0),
        ("rate_per_player", 0),
        ("call_timeout_seconds", -1),
        ("trusted_proxies", "10.0.0.300/8"),
        ("log_format", "xml"),
        ("max_request_bytes", 100 << 20),
    ],
)
def test_nonsense_is_refused(name: str, value: object) -> None:
    """A setting that makes no sense is refused by name."""
    with pytest.raises(ValidationError, match=name):
        Settings(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tournament_retention_seconds", ["0", "-1", "nan", "1e9", "99999999999999999999"]),
        ("log_retention_seconds", ["0", "99999999999999999999"]),
        ("tournament_turn_seconds", ["0", "-1", "nan", "inf", "1e400", "604801"]),
        ("tournament_workers", ["-1", "4097"]),
        ("max_tournament_think_seconds", ["0", "61", "inf"]),
        ("lease_seconds", ["inf", "nan", "-inf"]),
    ],
)
def test_numbers_have_bounds(monkeypatch: pytest.MonkeyPatch, name: str, values: list[str]) -> None:
    """What neither a clock nor Redis can count is refused at the start, and not at the first call."""
    for value in values:
        monkeypatch.setenv(f"JUNTO_{name.upper()}", value)
        with pytest.raises(ValidationError):
            Settings()
