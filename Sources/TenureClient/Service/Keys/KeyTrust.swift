/// Which signing keys a client believes besides those that the app was built with.
public enum KeyTrust: Sendable, Hashable {
    /// Those that a believed key vouches for in a signed keyset, and no others. A server of another make than Tenure has
    /// none: build the app with the next key before such a server signs with it.
    case pinned
    /// Also those that the server shows over TLS. Whoever can make this device trust a certificate can then make
    /// licenses on it; in return the vendor need not build any key in.
    case served
}
