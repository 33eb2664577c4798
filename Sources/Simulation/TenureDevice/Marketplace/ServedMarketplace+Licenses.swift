import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace

/// An app that a device requests a license for.
struct WantedApp: Sendable, Hashable {
    /// The app, whatever its version.
    let item: AppleItemID
    /// The version to install, which the license is for.
    let version: AppleVersionID
    /// The variant of the package that the license is for.
    let asset: AssetID
}

/// The device and account that send a request.
struct RequestingDevice: Sendable {
    /// The device's permanent id, which license requests contain.
    let deviceID: [UInt8]
    /// A token that the device was given, which takes precedence over ``signedIn``; `nil` if the device was given none.
    let token: String?
    /// The account that signed in on the device, with its own tokens; `nil` if no account signed in.
    let signedIn: SignedIn?

    init(deviceID: [UInt8], token: String?, signedIn: SignedIn? = nil) {
        (self.deviceID, self.token, self.signedIn) = (deviceID, token, signedIn)
    }

    /// The access token for the next request; `nil` if the device has none.
    var access: String? { token ?? signedIn?.access }
}

/// The marketplace's response to a license request.
struct IssueAnswer: Sendable, Hashable {
    /// The granted licenses, by app.
    let licenses: [AppleItemID: HeldLicense]
    /// The apps that the marketplace doesn't license to this account and device.
    let unlicensed: Set<AppleItemID>
}

/// The marketplace's response to a renewal.
struct RenewalAnswer: Sendable, Hashable {
    /// The new licenses, by app.
    var renewed: [AppleItemID: HeldLicense] = [:]
    /// The ids of the licenses that the marketplace doesn't renew.
    var ineligible: Set<UInt64> = []

    /// Creates a response without licenses, to be filled in.
    init() {}
}

extension ServedMarketplace {
    /// Requests licenses for apps or versions that are new to a device, in one POST.
    ///
    /// - Throws: `.unreachable`, `.refused`, `.badAnswer` or `.invalidLicense`; nothing is installed.
    func issue(
        _ apps: [WantedApp], for requester: RequestingDevice, at now: Timestamp
    ) async throws(DeviceError) -> IssueAnswer {
        guard let first = apps.first else { return IssueAnswer(licenses: [:], unlicensed: []) }
        let places = try await configuration().places(for: first.item)
        let exchange = LicenseExchange(
            marketplace: self, places: places, request: requester.request(.create, at: now, items: apps.map(\.item)),
            requester: requester)
        let answer = try await exchange.send(to: places.dynamicLicenseURL) { envelope in
            JSONWriter.object { body in
                body.member("licenseRequest", envelope.request)
                body.member("licenseKey", envelope.requestKey)
                body.object("appsById") { list in
                    for app in apps {
                        list.object(app.item.description) { facts in
                            facts.member("appleVersionId", app.version.description)
                            facts.member("assetPublicId", app.asset.text)
                        }
                    }
                }
            }
        }
        let unlicensed = Set(
            (answer.members.identifiers("unlicensedApps").value ?? []).compactMap { AppleItemID(number: $0) })
        var licenses: [AppleItemID: HeldLicense] = [:]
        for app in apps where !unlicensed.contains(app.item) {
            guard let license = answer.license.license(for: app.item) else {
                throw DeviceError(.invalidLicense, "No valid license provided: there is none for app \(app.item).")
            }
            licenses[app.item] = HeldLicense(license, from: answer.document)
        }
        return IssueAnswer(licenses: licenses, unlicensed: unlicensed)
    }

    /// Requests renewals of licenses, with one POST per renewal endpoint.
    ///
    /// There's only one endpoint unless the configuration has overrides for apps.
    ///
    /// - Throws: `.unreachable`, `.refused`, `.badAnswer` or `.invalidLicense`; the licenses stay unchanged.
    func renew(
        _ licenses: [AppleItemID: UInt64], for requester: RequestingDevice, at now: Timestamp
    ) async throws(DeviceError) -> RenewalAnswer {
        let configuration = try await configuration()
        var whole = RenewalAnswer()
        let groups = Dictionary(grouping: licenses.keys.sorted()) { configuration.places(for: $0) }
        for (places, items) in groups.sorted(by: { $0.key.licenseRenewalURL < $1.key.licenseRenewalURL }) {
            let licenseIDs = Set(items.compactMap { licenses[$0] })
            let exchange = LicenseExchange(
                marketplace: self, places: places,
                request: requester.request(.renew, at: now, items: items, licenses: licenseIDs.sorted()),
                requester: requester)
            let answer = try await exchange.send(to: places.licenseRenewalURL) { envelope in
                JSONWriter.object { body in
                    body.member("renewalRequest", envelope.request)
                    body.member("licenseKey", envelope.requestKey)
                }
            }
            whole.ineligible.formUnion(
                licenseIDs.intersection(answer.members.identifiers("ineligibleLicenses").value ?? []))
            for item in items {
                guard let license = answer.license.license(for: item) else { continue }
                whole.renewed[item] = HeldLicense(license, from: answer.document)
            }
        }
        return whole
    }
}

extension RequestingDevice {
    fileprivate func request(
        _ action: SimulatedAppLicenseRequest.Action, at now: Timestamp, items: [AppleItemID], licenses: [UInt64] = []
    ) -> SimulatedAppLicenseRequest {
        SimulatedAppLicenseRequest(
            action: action, requestID: .random(in: 1...UInt64(Int64.max)), requestTime: UInt64(max(0, now.seconds)),
            deviceID: deviceID, appleItemIDs: items.map(\.number), licenseIDs: licenses)
    }
}
