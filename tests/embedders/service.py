"""A service on this machine that speaks `/v1/embeddings`, over the hashing embedder."""

import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from memoranda.embedders.hashing import HashingEmbedder
from memoranda.step import step


class Service:
    """Answers as it should, unless `answers` holds something else (status, body, headers). Notes what it is sent."""

    def __init__(self, dim=64):
        service, self.answers, self.bodies, self.keys = self, [], [], []
        self.model = HashingEmbedder(dim)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.bodies.append(body)
                service.keys.append(self.headers["Authorization"])
                answer = service.answers.pop(0) if service.answers else service.answer(body)
                status, said, *headers = answer
                data = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status if self.path == "/v1/embeddings" else 404)
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def answer(self, body):
        made = step(self.model.embed(body["input"]))
        # Twice as long as they should be, and in another order: both are the client's to put right.
        data = [
            {"index": n, "embedding": [2 * x for x in struct.unpack(f"<{len(v) // 4}f", v)]}
            for n, v in enumerate(made)
        ]
        return 200, {"data": data[::-1], "model": body["model"]}

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
