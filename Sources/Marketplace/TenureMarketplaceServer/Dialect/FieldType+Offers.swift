import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

extension FieldType where Value == [RequestedVersion] {
    /// The apps of a restore or update request, each with the version that the device names.
    ///
    /// Apple spells the member names in two ways. Ids may be strings or numbers, and an unknown version is `0`.
    static var requestedVersions: FieldType {
        .objects(
            "a list of 1 to \(mostApps) objects with appleItemId and appleVersionId",
            of: .object(
                [("appleItemId", AppleItemID.schema), ("appleVersionId", .text(pattern: "^[0-9]{1,19}$"))],
                required: ["appleItemId", "appleVersionId"]),
            count: 1...mostApps, sample: []
        ) { apps throws(Fault) in
            var versions: [RequestedVersion] = []
            for (index, app) in apps.enumerated() {
                guard let app else { throw Fault("/\(index)", "must be an object") }
                let number = try spelledNumber("appleItemId", or: "appleItemID", in: app, at: index)
                guard let item = number.flatMap(AppleItemID.init(number:)) else {
                    throw Fault("/\(index)/appleItemId", "must be an Apple item id")
                }
                guard let version = try spelledNumber("appleVersionId", or: "appleVersionID", in: app, at: index) else {
                    throw Fault("/\(index)/appleVersionId", "must be an Apple version id")
                }
                versions.append(
                    RequestedVersion(
                        item: item, version: AppleVersionID(number: version), versionText: String(version)))
            }
            return versions
        }
    }

    /// The maximum number of apps in one request.
    private static var mostApps: Int { 500 }

    private static func spelledNumber(
        _ name: String, or other: String, in app: FlatObject, at index: Int
    ) throws(Fault) -> UInt64? {
        let number = app.number(name, or: other)
        if number == .ambiguous { throw Fault("/\(index)/\(name)", "must have the same value as \(other)") }
        return number.number
    }
}

extension FieldType where Value == AppleItemID {
    /// An Apple item id in a string.
    static var appleItemID: FieldType {
        .text("an Apple item id as a string", like: "1", schema: AppleItemID.schema) { AppleItemID(text: $0) }
    }
}

extension FieldType where Value == AppleVersionID {
    /// An Apple version id in a string.
    static var appleVersionID: FieldType {
        .text("an Apple version id as a string", like: "1", schema: AppleItemID.schema) {
            AppleVersionID(text: $0)
        }
    }
}

extension FieldType where Value == Territory {
    /// The country or region of the user's store, as the marketplace app reports it.
    static var territory: FieldType {
        .text(
            "a country code of two or three letters, such as IE or IRL", like: "IRL",
            schema: .text(pattern: "^[A-Za-z]{2,3}$")
        ) { Territory(named: $0) }
    }
}

extension FieldReader {
    /// Reads the user's territory from a header that the marketplace app sends and devices don't; `nil` without it.
    mutating func territory() throws -> Territory? {
        try optional(
            "Tenure-Territory", .territory, in: .header,
            "The country of the user's store: two or three letters. Apps that aren't offered there are refused.")
    }
}

extension FieldType where Value == SystemVersion {
    /// The version of an operating system, such as 17.4.
    static var system: FieldType {
        .text(
            "one to four numbers separated by periods, such as 17.4", like: "17.4",
            schema: .text(pattern: #"^[0-9]{1,9}(\.[0-9]{1,9}){0,3}$"#)
        ) { SystemVersion($0) }
    }
}
