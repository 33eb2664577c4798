import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace

/// One encrypted request to a license endpoint, and its verified response.
struct LicenseExchange: Sendable {
    let marketplace: ServedMarketplace
    let places: ServedConfiguration.Places
    let request: SimulatedAppLicenseRequest
    let requester: RequestingDevice

    /// The verified response of a license endpoint.
    struct Answer: Sendable {
        let license: SimulatedAppLicense
        /// The license as received, with its signature, for storage.
        let document: [UInt8]
        /// All members of the response's JSON, of which `license` has been verified.
        let members: FlatObject
    }

    /// Encrypts the request, posts it and verifies the response.
    ///
    /// - Parameter body: Creates the request's body from the encrypted envelope.
    func send(to url: String, body: (RequestEnvelope) -> [UInt8]) async throws(DeviceError) -> Answer {
        let encryption = try await marketplace.certificate(places.encryptionCertificateURL)
        let envelope: RequestEnvelope
        do throws(FormatError) {
            envelope = try RequestEnvelope.sealing(request.json(), to: encryption.publicKey)
        } catch {
            throw DeviceError(.badAnswer, "The marketplace's encryption certificate can't be used: \(error.message).")
        }
        let answer = try await marketplace.send(.post(url, json: body(envelope)), as: requester)
        guard answer.status == 200 else { throw DeviceError(answer, to: "The license request", for: requester) }
        guard let members = try? FlatObject(scanning: answer.body.bytes), let text = members.string("license").value,
            let document = Base64.decode(text), let unverified = try? UnverifiedSimulatedAppLicense(compact: document)
        else {
            throw DeviceError(
                .invalidLicense, "No valid license provided: the marketplace's response has no readable license.")
        }
        let license = try await verify(unverified)
        guard license.requestID == request.requestID, license.deviceID == request.deviceID else {
            throw DeviceError(.invalidLicense, "No valid license provided: it is for another request or device.")
        }
        return Answer(license: license, document: document, members: members)
    }

    /// Verifies a license.
    ///
    /// If that fails, it fetches the configuration and the certificate again, because they may be outdated.
    private func verify(_ unverified: UnverifiedSimulatedAppLicense) async throws(DeviceError) -> SimulatedAppLicense {
        let certificate = try await marketplace.certificate(places.signingCertificateURL)
        if let license = try? unverified.verify(trusting: certificate) { return license }
        marketplace.forgetConfiguration()
        marketplace.forgetCertificate(places.signingCertificateURL)
        let items = request.appleItemIDs.compactMap(AppleItemID.init(number:))
        let configuration = try await marketplace.configuration()
        let newPlaces = items.first.map(configuration.places(for:)) ?? configuration.standard
        let served = try await marketplace.certificate(newPlaces.signingCertificateURL)
        do throws(FormatError) {
            return try unverified.verify(trusting: served)
        } catch {
            throw DeviceError(.invalidLicense, "No valid license provided: \(error.message).")
        }
    }
}
