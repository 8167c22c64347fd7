"""Make certificates for tests: a private authority, and one certificate for each thing that can be wrong with one."""

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


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
            .not_valid_before(NOW - 30 * DAY)
            .not_valid_after(NOW + 30 * DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
            .add_extension(_key_usage(signs_certificates=True), critical=True)
            .sign(self.key, hashes.SHA256())
        )

    def issue(self, path, hosts=("127.0.0.1", "localhost"), begins=-DAY, ends=DAY, with_aki=True, common_name="site"):
        """Write key and certificate into one file."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(common_name))
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW + begins)
            .not_valid_after(NOW + ends)
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
        .not_valid_before(NOW - DAY)
        .not_valid_after(NOW + DAY)
        .add_extension(x509.SubjectAlternativeName([_alternative("127.0.0.1")]), critical=False)
    )
    _write(path, key, builder.sign(key, hashes.SHA256()))
    return path


def make_all(folder):
    """Write all certificates; return their files by name. "ca" is the authority that signed the good ones."""
    authority, unknown = Authority(), Authority("nobody knows")
    return {
        "ca": authority.write(folder / "ca.pem"),
        "good": authority.issue(folder / "good.pem"),
        "expired": authority.issue(folder / "expired.pem", begins=-10 * DAY, ends=-DAY),
        "notyet": authority.issue(folder / "notyet.pem", begins=DAY, ends=2 * DAY),
        "wronghost": authority.issue(folder / "wronghost.pem", hosts=("other.example",)),
        "cnonly": authority.issue(folder / "cnonly.pem", hosts=(), common_name="127.0.0.1"),
        "named": authority.issue(folder / "named.pem", hosts=("named.invalid",)),
        "noaki": authority.issue(folder / "noaki.pem", with_aki=False),
        "unknownca": unknown.issue(folder / "unknownca.pem"),
        "selfsigned": self_signed(folder / "selfsigned.pem"),
    }


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
