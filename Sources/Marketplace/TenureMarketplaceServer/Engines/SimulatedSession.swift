import Synchronization
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// A session that answers one simulated request.
final class SimulatedSession: AppLicenseSession {
    let action: AppLicenseAction
    let deviceID: [UInt8]
    let requestID: UInt64
    let requestTime: UInt64
    let requestVersion: UInt32
    let appleItemIDs: [UInt64]
    let licenseIDs: [UInt64]

    private let certificate: X509Certificate
    private let signing: AppLicenseSigning
    private let granted = Mutex(Granted())

    /// The licenses granted so far, and the response that contains all of them. The response is `nil` until it is
    /// created.
    private struct Granted {
        var licenses: [SimulatedAppLicense.License] = []
        var ids = Set<UInt64>()
        var response: JWSSigningInput?

        mutating func add(_ license: SimulatedAppLicense.License) throws(EngineError) {
            guard ids.insert(license.licenseID).inserted else {
                throw EngineError(.licenseRepeated, "license \(license.licenseID) was granted twice in one response")
            }
            licenses.append(license)
            response = nil
        }
    }

    /// Begins a session that answers a request, or one for static licenses if `request` is `nil`.
    init(answering request: SimulatedAppLicenseRequest?, certificate: X509Certificate, signing: AppLicenseSigning) {
        action =
            switch request?.action {
            case .create: .create
            case .renew: .renew
            case nil: .generateStatic
            }
        deviceID = request?.deviceID ?? []
        requestID = request?.requestID ?? 0
        requestTime = request?.requestTime ?? 0
        requestVersion = request?.requestVersion ?? 0
        appleItemIDs = request?.appleItemIDs ?? []
        licenseIDs = request?.licenseIDs ?? []
        self.certificate = certificate
        self.signing = signing
    }

    func add(_ license: AppLicenseAttributes) throws(EngineError) {
        guard action != .generateStatic else {
            throw EngineError(.wrongSession, "a static session accepts only static licenses")
        }
        try add(
            SimulatedAppLicense.License(
                licenseID: license.licenseID, issuedTime: license.issuedTime, duration: license.duration,
                appKeys: license.appKeys.map(Self.named), revokedAppleItemIDs: license.revokedAppleItemIDs))
    }

    func addStatic(licenseID: UInt64, appKey: AppLicenseAttributes.AppKey) throws(EngineError) {
        guard action == .generateStatic else {
            throw EngineError(.wrongSession, "static licenses need a static session")
        }
        try AppLicenseAttributes.check(licenseID: licenseID)
        try add(
            SimulatedAppLicense.License(
                licenseID: licenseID, issuedTime: 0, duration: 0, appKeys: [Self.named(appKey)]))
    }

    func response() throws(EngineError) -> [UInt8] {
        granted.withLock { granted in
            if let response = granted.response { return response.bytes }
            let license = SimulatedAppLicense(
                requestID: requestID, deviceID: deviceID, licenses: granted.licenses)
            let response = license.signingInput(certificateSHA256: certificate.sha256)
            granted.response = response
            return response.bytes
        }
    }

    func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8] {
        guard let input = granted.withLock({ $0.response }), input.bytes == response else {
            throw EngineError(
                .wrongSession, "the response isn't the latest of this session; generate it after the last license")
        }
        let signed = try await input.compact(signature: checked(signature, over: response))
        return try signed.orEmptyLicense()
    }

    private func add(_ license: SimulatedAppLicense.License) throws(EngineError) {
        try granted.withLock { granted throws(EngineError) in try granted.add(license) }
    }

    /// Returns a signature by the certificate's key: creates one with the engine's key, or verifies one from the caller
    /// or the signer.
    private func checked(_ signature: [UInt8]?, over response: [UInt8]) async throws(EngineError) -> [UInt8] {
        let found: [UInt8]
        switch (signature, signing) {
        case (let signature?, _):
            found = signature
        case (nil, .signer(let signer)):
            found = try await signer.signature(over: response)
        case (nil, .key(let key)):
            do {
                return try key.sign(response)
            } catch {
                throw EngineError(.notSigned, "the signing key failed to sign", cause: error)
            }
        }
        guard certificate.publicKey.isValidSignature(found, for: response) else {
            throw EngineError(
                .badSignature, "the signature doesn't match the signing certificate; check which key signs")
        }
        return found
    }

    private static func named(_ key: AppLicenseAttributes.AppKey) -> SimulatedAppLicense.AppKey {
        SimulatedAppLicense.AppKey(appleItemID: key.appleItemID, keyBlobSHA256: SHA256.hash(key.keyBlob))
    }
}
