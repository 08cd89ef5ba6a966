"""An identity provider on this machine: discovery, a page to choose who one is, codes for tokens, and the key they are signed with."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit


@contextmanager
def identity_provider(people: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Its address; `people` are those one can log in as, with the claims of each."""
    from joserfc import jwt
    from joserfc.jwk import RSAKey

    key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})
    codes: dict[str, dict[str, Any]] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            at = urlsplit(self.path)
            asked = {k: v[0] for k, v in parse_qs(at.query).items()}
            if at.path == "/.well-known/openid-configuration":
                self.reply({"issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token", "jwks_uri": f"{issuer}/jwks",
                            "response_types_supported": ["code"], "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
                            "code_challenge_methods_supported": ["S256"]})  # fmt: skip
            elif at.path == "/jwks":
                self.reply({"keys": [key.as_dict(private=False)]})
            elif at.path == "/authorize" and "me" not in asked:
                links = "".join(f'<p><a href="/authorize?{escape(urlencode({**asked, "me": me}))}">{escape(me)}</a></p>' for me in people)
                self.reply(f"<!doctype html><title>Who are you?</title>{links}")
            elif at.path == "/authorize":
                code = secrets.token_urlsafe()
                codes[code] = asked
                self.send_response(302)
                self.send_header("Location", f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")
                self.end_headers()
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            form = {k: v[0] for k, v in parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode()).items()}
            asked = codes.pop(form["code"])
            challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
            assert asked.get("code_challenge", challenge) == challenge
            now = int(time.time())
            claims = {"iss": issuer, "sub": asked["me"], "aud": "hopcheck", "iat": now, "exp": now + 600, "nonce": asked.get("nonce"), **people[asked["me"]]}
            token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
            self.reply({"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "expires_in": 600, "id_token": token})

        def reply(self, body: Any) -> None:
            text = body if isinstance(body, str) else json.dumps(body)
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if isinstance(body, str) else "application/json")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = f"http://localhost:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
