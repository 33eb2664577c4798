/// Why bytes are no lease of this activation.
package enum LeaseProblem: String, Error, Sendable, Hashable {
    /// They are no lease at all.
    case malformed
    /// The key that signed it is not known here.
    case unknownKey
    /// The signature is not the named key's.
    case badSignature
    /// It is another tenant's or product's.
    case otherProduct
    /// It is for another license key.
    case otherLicense
    /// It is for another activation.
    case otherActivation
    /// It is for another device.
    case otherDevice
    /// It answers another request.
    case otherRequest
    /// It is older than others that were accepted.
    case outdated
}
