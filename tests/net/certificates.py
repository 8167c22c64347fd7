"""Write the certificates of tests/fixtures/certificates: an authority, and one for each thing that can be wrong.

Run it again with the package cryptography if a test needs another one: python3 tests/net/certificates.py FOLDER.
The keys protect nothing: their servers listen on loopback while a test runs.
"""

import datetime
import ipaddress
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PAST, RECENT, FUTURE, END = (datetime.datetime(year, 1, 1) for year in (2020, 2021, 2100, 2110))


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Authority:
    """A certificate authority."""

    def __init__(self, name="webtool test authority"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = _name(name)
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(self.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(PAST)
            .not_valid_after(END)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .add_extension(_key_usage(signs_certificates=True), critical=True)
            .sign(self.key, hashes.SHA256())
        )

    def issue(self, path, hosts=("127.0.0.1", "localhost"), begins=PAST, ends=END, with_aki=True, common_name="site"):
        """Write key and certificate into one file."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(common_name))
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begins)
            .not_valid_after(ends)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(signs_certificates=False), critical=True)
        )
        if hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName(list(map(_alternative, hosts))), critical=False)
        if with_aki:
            identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
            builder = builder.add_extension(identifier, critical=False)
        _write(path, key, builder.sign(self.key, hashes.SHA256()))
        return path

    def write(self, path):
        """Write the authority's certificate."""
        path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))
        return path


def self_signed(path):
    """A certificate that is its own issuer."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("alone")
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(PAST)
        .not_valid_after(END)
        .add_extension(x509.SubjectAlternativeName([_alternative("127.0.0.1")]), critical=False)
    )
    _write(path, key, builder.sign(key, hashes.SHA256()))
    return path


def make_all(folder):
    """Write all certificates. "ca" is the authority that signed the good ones."""
    authority, unknown = Authority(), Authority("nobody knows")
    authority.write(folder / "ca.pem")
    authority.issue(folder / "good.pem")
    authority.issue(folder / "expired.pem", ends=RECENT)
    authority.issue(folder / "notyet.pem", begins=FUTURE)
    authority.issue(folder / "wronghost.pem", hosts=("other.example",))
    authority.issue(folder / "cnonly.pem", hosts=(), common_name="127.0.0.1")
    authority.issue(folder / "named.pem", hosts=("named.invalid",))
    authority.issue(folder / "noaki.pem", with_aki=False)
    unknown.issue(folder / "unknownca.pem")
    self_signed(folder / "selfsigned.pem")


def _alternative(host):
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _key_usage(signs_certificates):
    return x509.KeyUsage(
        digital_signature=True, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=signs_certificates, crl_sign=signs_certificates, encipher_only=False,
        decipher_only=False,
    )  # fmt: skip


def _write(path, key, certificate):
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )


if __name__ == "__main__":
    make_all(pathlib.Path(sys.argv[1]))
