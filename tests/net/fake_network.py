"""A fake network without sockets: a table resolves names, and connections answer from a script."""

from webtool.errors import NetworkError
from webtool.urls import hosts

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
NO_ROBOTS = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class FakeConnection:
    """Answers one request with the next response of the network's script."""

    def __init__(self, network):
        self.network = network
        self.answer = b""

    def send(self, data):
        head = data.decode("latin-1")
        self.network.sent.append(head)
        self.answer = self.network.respond(head)
        return len(data)

    def recv(self, size):
        data, self.answer = self.answer[:size], self.answer[size:]
        return data

    def settimeout(self, seconds):
        assert seconds > 0

    def fileno(self):
        raise AssertionError("only idle connections are asked, and this one says close")

    def close(self):
        pass


class FakeNetwork:
    """`names`: name -> lists of addresses, one for each look-up (the last repeats). `pages`: responses in order."""

    def __init__(self, names, pages=(PAGE,), robots=NO_ROBOTS):
        self.names = {name: list(answers) for name, answers in names.items()}
        self.pages = list(pages)
        self.robots = robots
        self.asked = []
        self.dialled = []
        self.sent = []

    def resolve(self, host, port, watch):
        self.asked.append(host)
        answers = self.names.get(host) or self.names.get(host.rstrip(".")) or [[]]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        if not addresses:
            raise NetworkError(f"Failed to fetch URL: the host name {host} does not resolve")
        return addresses

    def connect(self, addresses, port, watch):
        assert addresses
        assert all(isinstance(address, hosts.Address) for address in addresses)
        self.dialled += map(str, addresses)
        return FakeConnection(self)

    def respond(self, head):
        if head.startswith("GET /robots.txt"):
            return self.robots
        return self.pages.pop(0) if len(self.pages) > 1 else self.pages[0]
