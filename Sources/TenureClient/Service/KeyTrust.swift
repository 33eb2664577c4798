/// Which signing keys a client believes besides those that the app was built with.
public enum KeyTrust: Sendable, Hashable {
    /// Those that a believed key vouches for, and no others. Over Keylight, where no key can vouch for another, that is
    /// none: build the app with the next key before the server signs with it.
    case pinned
    /// Also those that the server shows over TLS. Whoever can make this device trust a certificate can then make
    /// licenses on it; in return the vendor need not build any key in.
    case served
}
