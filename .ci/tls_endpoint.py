"""A SPARQL endpoint behind TLS, for .ci/containers: PORT CERTIFICATE KEY. It says what moody.py's says. Standard library only."""

import ssl
import sys

import moody


def main():
    server = moody.Server(("", int(sys.argv[1])), moody.Endpoint)
    server.well, server.silence = True, 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
