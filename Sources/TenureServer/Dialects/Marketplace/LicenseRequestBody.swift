import TenureCore
import TenureFormats
import TenureHTTP

/// What a device posts to get licenses (`spec/apple.md` §1): the envelope, and in the open what it is about.
struct LicenseRequestBody: Sendable {
    let envelope: RequestEnvelope
    /// What to license, each app once, in the order of the apps' numbers.
    let assets: [AssetRef]

    /// Apps that one request may name.
    static let mostApps = 200

    /// Reads a body of any content type as JSON; members that are not known are ignored.
    ///
    /// Apple writes the version's name in two ways; ids may be texts or numbers (`spec/apple.md` (b) 2, 3).
    init(_ request: Request) throws(MarketplaceFailure) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: request.body)
        } catch {
            throw MarketplaceFailure(error)
        }
        guard case .object(let members) = value else { throw .malformed("/", "must be an object") }
        envelope = RequestEnvelope(
            request: try members.text("licenseRequest"), requestKey: try members.text("licenseKey"))
        guard case .object(let apps)? = members["appsById"] else {
            throw .malformed("/appsById", "must be an object that names each app's version and asset")
        }
        guard apps.count <= Self.mostApps else {
            throw .malformed("/appsById", "names \(apps.count) apps; ask for at most \(Self.mostApps) at once")
        }
        var assets: [AssetRef] = []
        for (name, value) in apps {
            guard let item = AppleItemID(text: name) else {
                throw .malformed("/appsById", "the name of each member must be an app's number")
            }
            assets.append(try value.asset(of: item, at: "/appsById/\(item)"))
        }
        self.assets = assets.sorted()
    }
}

extension MarketplaceFailure {
    init(_ error: JSONError) {
        self.init(400, "The body is not JSON", code: "json_\(error.code)", detail: error.message)
    }
}

extension [String: JSONValue] {
    fileprivate func text(_ name: String) throws(MarketplaceFailure) -> String {
        guard case .string(let text)? = self[name] else { throw .malformed("/\(name)", "must be a text in base64") }
        return text
    }
}

extension JSONValue {
    fileprivate func asset(of item: AppleItemID, at pointer: String) throws(MarketplaceFailure) -> AssetRef {
        guard case .object(let members) = self else { throw .malformed(pointer, "must be an object") }
        guard let version = (members["appleVersionId"] ?? members["appleVersionID"])?.versionID else {
            throw .malformed("\(pointer)/appleVersionId", "must be the number of a version")
        }
        guard case .string(let text)? = members["assetPublicId"], let asset = AssetID(text) else {
            throw .malformed("\(pointer)/assetPublicId", "must be the public id of a variant or delta")
        }
        return AssetRef(item: item, version: version, asset: asset)
    }

    private var versionID: AppleVersionID? {
        switch self {
        case .string(let text): AppleVersionID(text: text)
        case .integer(let number): UInt64(exactly: number).flatMap(AppleVersionID.init(number:))
        case .null, .bool, .number, .array, .object: nil
        }
    }
}
