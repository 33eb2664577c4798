import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// A tenant's settings for another license server: plaintext in the catalog file, encrypted in the store.
protocol TargetSettings: SealedSettings, Hashable where Row == ContentTargetRow {
    /// The license server that the settings are for.
    static var target: ForeignTarget { get }
    /// The schema of the settings in a catalog file.
    static var section: CatalogObject<Self> { get }
    /// Settings with empty secrets, to be filled in while reading a file; they aren't usable as they are.
    static var empty: Self { get }
}

extension TargetSettings {
    package static var kind: String { target.rawValue }
    package static var onlyName: String? { target.rawValue }
    package static func edits(from old: Self, to new: Self) -> [CatalogEdit] { section.edits(from: old, to: new) }
}

/// A tenant's settings for Kollus: keys, and how to treat callbacks.
package struct KollusSettings: TargetSettings {
    /// Whether the callback's path contains a secret, which authenticates Kollus.
    package enum CallbackAuth: String, Sendable, Hashable, CaseIterable {
        /// The path contains a secret.
        case path
        /// The path contains no secret. Anyone who knows the tenant's name can send callbacks, which make devices count
        /// and reveal terms.
        case none
    }

    /// The security key of the account at Kollus, as text; it signs responses and tokens.
    var securityKey: String
    /// The custom key of the account at Kollus, which is part of each play URL.
    var customKey: String
    /// How the server authenticates Kollus's callbacks.
    package var callbackAuth: CallbackAuth
    /// How to treat downloads of which Tenure has no record and which it can't adopt.
    var unknownDownloads: KollusCase.UnknownDownloads

    init(
        securityKey: String, customKey: String, callbackAuth: CallbackAuth = .path,
        unknownDownloads: KollusCase.UnknownDownloads = .leave
    ) {
        self.securityKey = securityKey
        self.customKey = customKey
        self.callbackAuth = callbackAuth
        self.unknownDownloads = unknownDownloads
    }

    static let target = ForeignTarget.kollus
    static let empty = KollusSettings(securityKey: "", customKey: "")

    /// Warns if the callback's path contains no secret.
    var remark: String? {
        callbackAuth == .none
            ? "anyone who knows the path can register devices and read license terms; set it to \"path\"" : nil
    }

    /// The settings as JSON, for encryption.
    var json: [UInt8] {
        JSONWriter.object { object in
            object.member("securityKey", securityKey)
            object.member("customKey", customKey)
            object.member("callbackAuth", callbackAuth.rawValue)
            object.member("unknownDownloads", unknownDownloads.rawValue)
        }
    }

    /// Reads settings from ``json``; `nil` if they are invalid.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json) else { return nil }
        self.init(object)
    }

    /// Reads settings from a JSON object; `nil` if they are invalid.
    init?(_ object: FlatObject) {
        guard let securityKey = object.string("securityKey").value,
            let auth = object.string("callbackAuth").value.flatMap(CallbackAuth.init(rawValue:)),
            let unknown = object.string("unknownDownloads").value.flatMap(KollusCase.UnknownDownloads.init(rawValue:))
        else { return nil }
        self.init(
            securityKey: securityKey, customKey: object.string("customKey").value ?? "", callbackAuth: auth,
            unknownDownloads: unknown)
    }
}

/// A tenant's settings for DoveRunner, with which license tokens are created.
struct DoveRunnerSettings: TargetSettings {
    /// The id that DoveRunner gave the site.
    var siteID: String
    /// The site key, as text; it encrypts a token's policy.
    var siteKey: String
    /// The access key, as text; it is part of a token's hash.
    var accessKey: String

    static let target = ForeignTarget.doverunner
    static let empty = DoveRunnerSettings(siteID: "", siteKey: "", accessKey: "")

    /// The parsed keys; `nil` if they are invalid.
    var site: DoveRunnerToken.Site? {
        DoveRunnerToken.Site(id: siteID, siteKey: siteKey, accessKey: accessKey)
    }

    var json: [UInt8] {
        JSONWriter.object { object in
            object.member("siteId", siteID)
            object.member("siteKey", siteKey)
            object.member("accessKey", accessKey)
        }
    }
}

extension DoveRunnerSettings {
    /// Reads settings from ``json``; `nil` if they are invalid.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let siteID = object.string("siteId").value,
            let siteKey = object.string("siteKey").value, let accessKey = object.string("accessKey").value
        else { return nil }
        self.init(siteID: siteID, siteKey: siteKey, accessKey: accessKey)
    }
}

/// A tenant's settings for Axinom, with which license messages are signed.
struct AxinomSettings: TargetSettings {
    /// The id of the communication key, a UUID.
    var keyID: String
    /// The communication key, in base64.
    var communicationKey: String

    static let target = ForeignTarget.axinom
    static let empty = AxinomSettings(keyID: "", communicationKey: "")

    /// The parsed key; `nil` if it is invalid.
    var key: AxinomMessage.Key? { AxinomMessage.Key(id: keyID, base64: communicationKey) }

    var json: [UInt8] {
        JSONWriter.object { object in
            object.member("keyId", keyID)
            object.member("key", communicationKey)
        }
    }
}

extension AxinomSettings {
    /// Reads settings from ``json``; `nil` if they are invalid.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let keyID = object.string("keyId").value,
            let key = object.string("key").value
        else { return nil }
        self.init(keyID: keyID, communicationKey: key)
    }
}
