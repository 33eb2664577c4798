import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import Testing

/// A device of a marketplace. It seals requests to the served certificate, and accepts only responses that the served
/// signing certificate verifies.
struct Phone {
    let shop: Market
    var id: [UInt8]
    var token: String?

    init(_ shop: Market, id: UInt8 = 1, token: String? = nil) {
        self.shop = shop
        self.id = [UInt8](repeating: id, count: 16)
        self.token = token
    }

    /// The unencrypted part of a request for one app. Some members are raw JSON, so that tests can send invalid values.
    struct Wish: Sendable {
        var item: UInt64 = 6_483_539_426
        var version = #""appleVersionId": "86001""#
        var asset = "00000001-0000-4000-8000-000000000001"

        static let game = Wish()

        var json: String { #""\#(item)": {\#(version), "assetPublicId": "\#(asset)"}"# }
    }

    /// Requests licenses for apps. The encrypted part names the apps in `sealed`, by default those of `wishes`.
    func send(
        _ wishes: [Wish] = [.game], sealing sealed: [UInt64]? = nil, request: UInt64 = .random(in: 1 ... .max),
        time: UInt64? = nil
    ) async throws -> Answer {
        await post("dynamicLicenseURL", try await licenseBody(wishes, sealing: sealed, request: request, time: time))
    }

    func licenseBody(
        _ wishes: [Wish] = [.game], sealing sealed: [UInt64]? = nil, request: UInt64 = .random(in: 1 ... .max),
        time: UInt64? = nil
    ) async throws -> String {
        let envelope = try await seal(.create, items: sealed ?? wishes.map(\.item), request: request, time: time)
        let apps = wishes.map(\.json).joined(separator: ",")
        return
            #"{"licenseRequest": "\#(envelope.request)", "licenseKey": "\#(envelope.requestKey)", "appsById": {\#(apps)}}"#
    }

    func renew(
        _ licenses: [UInt64], request: UInt64 = .random(in: 1 ... .max), time: UInt64? = nil
    ) async throws -> Answer {
        await post("licenseRenewalURL", try await renewalBody(licenses, request: request, time: time))
    }

    func renewalBody(
        _ licenses: [UInt64], request: UInt64 = .random(in: 1 ... .max), time: UInt64? = nil
    ) async throws -> String {
        Self.renewalBody(try await seal(.renew, licenses: licenses, request: request, time: time))
    }

    static func renewalBody(_ envelope: RequestEnvelope) -> String {
        #"{"renewalRequest": "\#(envelope.request)", "licenseKey": "\#(envelope.requestKey)"}"#
    }

    func seal(
        _ action: SimulatedAppLicenseRequest.Action, items: [UInt64] = [], licenses: [UInt64] = [],
        request: UInt64 = .random(in: 1 ... .max), time: UInt64? = nil
    ) async throws -> RequestEnvelope {
        let plaintext = SimulatedAppLicenseRequest(
            action: action, requestID: request, requestTime: time ?? UInt64(shop.now.seconds), deviceID: id,
            appleItemIDs: items, licenseIDs: licenses
        ).json()
        return try .sealing(plaintext, to: try await certificate("encryptionCertificateURL").publicKey)
    }

    /// Posts to a URL of the configuration, with the bearer token.
    func post(_ location: String, _ body: String) async -> Answer {
        var headers: Headers = ["Content-Type": "application/json"]
        if let token { headers.add("Authorization", "Bearer \(token)") }
        return await shop.vendor.post(await path(location) ?? "/", body, headers: headers)
    }

    /// Returns the path of a URL in the configuration.
    func path(_ location: String) async -> String? {
        guard case .object(let places)? = await shop.configuration().body["license"],
            case .string(let url)? = places[location]
        else { return nil }
        return String(url.dropFirst("https://mart.example".count))
    }

    func certificate(_ location: String) async throws -> X509Certificate {
        let path = try #require(await path(location))
        return try X509Certificate(await shop.vendor.get(path).bytes)
    }

    /// Returns the response's licenses after checking the signature, the certificate and the device.
    func read(_ answer: Answer) async throws -> [SimulatedAppLicense.License] {
        try #require(answer.status == 200, "\(String(decoding: answer.bytes, as: UTF8.self))")
        let blob = try #require(answer.text("license").flatMap { Base64.decode($0) })
        let license = try UnverifiedSimulatedAppLicense(compact: blob)
            .verify(trusting: try await certificate("signingCertificateURL"))
        #expect(license.deviceID == id)
        return license.licenses
    }

    /// Requests a license for one app and returns its id.
    func install(_ wish: Wish = .game, request: UInt64 = .random(in: 1 ... .max)) async throws -> UInt64 {
        let licenses = try await read(try await send([wish], request: request))
        return try #require(licenses.first).licenseID
    }
}
