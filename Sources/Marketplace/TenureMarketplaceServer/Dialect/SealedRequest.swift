import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// A device's license request (Apple's documentation): the encrypted envelope, and the assets, which aren't encrypted.
struct LicenseRequest: Sendable {
    let envelope: RequestEnvelope
    /// The assets to license, one for each app, sorted by app id.
    let assets: [AssetRef]
}

extension FieldReader {
    /// Reads an envelope from the members that Apple's devices use.
    mutating func envelope(in name: String) throws(Failure) -> RequestEnvelope {
        RequestEnvelope(request: try required(name, base64), requestKey: try required("licenseKey", base64))
    }

    mutating func licenseRequest() throws(Failure) -> LicenseRequest {
        LicenseRequest(envelope: try envelope(in: "licenseRequest"), assets: try required("appsById", .assets))
    }
}

/// Base64 text, which is decoded together with its envelope.
private let base64 = FieldType<String>.text("a string in base64", like: "", takesEmpty: true, schema: .text()) { $0 }

extension FieldType where Value == [AssetRef] {
    /// Apps by id, each with a version and an asset.
    ///
    /// Apple spells the version's member name in two ways; ids may be strings or numbers.
    fileprivate static var assets: FieldType {
        .object("an object with the version and asset of each app", sample: []) { apps throws(Fault) in
            guard apps.count <= mostApps else {
                throw Fault("", "must list at most \(mostApps) apps, not \(apps.count)")
            }
            var assets: [AssetRef] = []
            for name in apps.names {
                guard let item = AppleItemID(text: name) else {
                    throw Fault("", "the name of each field must be an Apple item id")
                }
                guard let members = apps.object(name).value else { throw Fault("/\(item)", "must be an object") }
                assets.append(try asset(of: item, in: members))
            }
            return assets.sorted()
        }
    }

    /// The maximum number of apps in one request.
    private static var mostApps: Int { 200 }

    private static func asset(of item: AppleItemID, in members: FlatObject) throws(Fault) -> AssetRef {
        let number = members.number("appleVersionId", or: "appleVersionID")
        if number == .ambiguous {
            throw Fault("/\(item)/appleVersionId", "must have the same value as appleVersionID")
        }
        guard let version = number.number.flatMap({ AppleVersionID(number: $0) }) else {
            throw Fault("/\(item)/appleVersionId", "must be an Apple version id")
        }
        guard let asset = members.string("assetPublicId").value.flatMap({ AssetID($0) }) else {
            throw Fault("/\(item)/assetPublicId", "must be the public id of a variant or delta")
        }
        return AssetRef(item: item, version: version, asset: asset)
    }
}
