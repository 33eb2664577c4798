package import TenureCore
import TenureCrypto
package import TenureFormats
package import TenureServerKit

/// What a tenant has with somebody else's license server: said in the catalog file, sealed in the store.
package protocol TargetSettings: Sendable, Hashable {
    /// Whose license server it is.
    static var target: ForeignTarget { get }
    /// As a catalog file has it.
    static var listing: CatalogObject<Self> { get }
    /// Nothing that could be used, to be filled.
    static var empty: Self { get }
    /// What an operator should know who says so; nil for nothing.
    var remark: String? { get }
    /// All of it, to be sealed.
    var json: [UInt8] { get }

    /// Reads what ``json`` gave; nil for anything else.
    init?(json: [UInt8])
}

extension TargetSettings {
    /// Nothing.
    package var remark: String? { nil }

    /// Seals the settings for a tenant. Throws ``ServerError``.
    package func row(of tenant: TenantID, under master: MasterKey) throws(ServerError) -> ContentTargetRow {
        let target = Self.target.rawValue
        return ContentTargetRow(
            tenant: tenant, target: target, sealed: try master.seal(json, of: tenant, for: target))
    }
}

/// What a tenant has with Kollus.
package struct KollusSettings: TargetSettings {
    /// Whether the callback's path has a secret.
    package enum CallbackAuth: String, Sendable, Hashable, CaseIterable {
        /// It has.
        case path
        /// It has none: a stranger who knows the tenant's name can take places and read terms.
        case none
    }

    /// The security key, as its text.
    package var securityKey: String
    /// The custom key.
    package var customKey: String
    /// Whether the callback's path has a secret.
    package var callbackAuth: CallbackAuth
    /// What becomes of downloads from before Tenure.
    package var unknownDownloads: UnknownDownloads

    /// Puts settings together.
    package init(
        securityKey: String, customKey: String, callbackAuth: CallbackAuth = .path,
        unknownDownloads: UnknownDownloads = .leave
    ) {
        self.securityKey = securityKey
        self.customKey = customKey
        self.callbackAuth = callbackAuth
        self.unknownDownloads = unknownDownloads
    }

    /// Kollus, whose player asks Tenure.
    package static let target = ForeignTarget.kollus
    /// Keys that are not there yet.
    package static let empty = KollusSettings(securityKey: "", customKey: "")

    /// That anybody may call.
    package var remark: String? {
        callbackAuth == .none
            ? "anybody who knows the path can take places and read terms: say \"path\"" : nil
    }

    /// All of it, to be sealed.
    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("securityKey", securityKey)
            object.member("customKey", customKey)
            object.member("callbackAuth", callbackAuth.rawValue)
            object.member("unknownDownloads", unknownDownloads.rawValue)
        }
    }

    /// Reads what ``json`` gave; nil for anything else.
    package init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json) else { return nil }
        self.init(object)
    }

    /// Reads its members; nil where they are something else.
    init?(_ object: FlatObject) {
        guard let securityKey = object.string("securityKey").value,
            let auth = object.string("callbackAuth").value.flatMap(CallbackAuth.init(rawValue:)),
            let unknown = object.string("unknownDownloads").value.flatMap(UnknownDownloads.init(rawValue:))
        else { return nil }
        self.init(
            securityKey: securityKey, customKey: object.string("customKey").value ?? "", callbackAuth: auth,
            unknownDownloads: unknown)
    }
}

/// What a tenant has with DoveRunner.
package struct DoveRunnerSettings: TargetSettings {
    /// The site's name.
    package var siteID: String
    /// The site key, as its text.
    package var siteKey: String
    /// The access key, as its text.
    package var accessKey: String

    /// DoveRunner.
    package static let target = ForeignTarget.doverunner
    /// Keys that are not there yet.
    package static let empty = DoveRunnerSettings(siteID: "", siteKey: "", accessKey: "")

    /// The keys, to be used; nil while they are none.
    package var site: DoveRunnerToken.Site? {
        DoveRunnerToken.Site(id: siteID, siteKey: siteKey, accessKey: accessKey)
    }

    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("siteId", siteID)
            object.member("siteKey", siteKey)
            object.member("accessKey", accessKey)
        }
    }
}

extension DoveRunnerSettings {
    /// Reads what ``json`` gave; nil for anything else.
    package init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let siteID = object.string("siteId").value,
            let siteKey = object.string("siteKey").value, let accessKey = object.string("accessKey").value
        else { return nil }
        self.init(siteID: siteID, siteKey: siteKey, accessKey: accessKey)
    }
}

/// What a tenant has with Axinom.
package struct AxinomSettings: TargetSettings {
    /// The name of the communication key, a UUID.
    package var keyID: String
    /// The key, in base64.
    package var communicationKey: String

    /// Axinom.
    package static let target = ForeignTarget.axinom
    /// A key that is not there yet.
    package static let empty = AxinomSettings(keyID: "", communicationKey: "")

    /// The key, to be used; nil while it is none.
    package var key: AxinomMessage.Key? { AxinomMessage.Key(id: keyID, base64: communicationKey) }

    package var json: [UInt8] {
        JSONWriter.object { object in
            object.member("keyId", keyID)
            object.member("key", communicationKey)
        }
    }
}

extension AxinomSettings {
    /// Reads what ``json`` gave; nil for anything else.
    package init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let keyID = object.string("keyId").value,
            let key = object.string("key").value
        else { return nil }
        self.init(keyID: keyID, communicationKey: key)
    }
}
