/// The parts of an update or restore response that a marketplace app needs.
///
/// A missing field or one of the wrong type never makes the response invalid. ``UpdateSelection`` drops such an entry
/// with a reason.
public struct UpdateAnswer: Sendable, Hashable, Decodable {
    /// The apps that may be installed, in the server's order; at most 2,000.
    public let entries: [Entry]

    /// One app's update; fields that are missing or of the wrong type are `nil`.
    ///
    /// Whole numbers are converted to strings.
    public struct Entry: Sendable, Hashable {
        /// The app's id, from `appleItemId` or `appleItemID`.
        public var item: String?
        /// The version's id, from `appleVersionId` or `appleVersionID`.
        public var version: String?
        /// The version number that users see, from `shortVersionString`.
        public var shortVersion: String?
        /// The build number, from `bundleVersion`.
        public var bundleVersion: String?
        /// The URL of the package, from `alternativeDistributionPackage`.
        public var package: String?
        /// The token that the system requires, from `installVerificationToken`.
        public var token: String?
        /// The URL of the app's page, from `appShareURL`.
        public var shareURL: String?

        /// Creates an entry from its parts.
        public init(
            item: String?, version: String?, shortVersion: String? = nil, bundleVersion: String? = nil,
            package: String?, token: String?, shareURL: String? = nil
        ) {
            self.item = item
            self.version = version
            self.shortVersion = shortVersion
            self.bundleVersion = bundleVersion
            self.package = package
            self.token = token
            self.shareURL = shareURL
        }
    }

    /// Creates a response; entries after the first 2,000 are dropped.
    public init(entries: [Entry]) {
        self.entries = Array(entries.prefix(Self.most))
    }

    /// Decodes `{"updates": [...]}`; Apple's documentation also names the list `restores`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let name = members.contains(MemberName("updates")) ? "updates" : "restores"
        self.init(entries: try members.decode([Entry].self, forKey: MemberName(name)))
    }

    private static let most = 2000
}

extension UpdateAnswer.Entry: Decodable {
    /// Decodes an entry; a value that isn't an object gives an entry without fields.
    public init(from decoder: any Decoder) throws {
        let members = try? decoder.container(keyedBy: MemberName.self)
        func text(_ names: String...) -> String? {
            for name in names.map(MemberName.init) {
                if let text = try? members?.decode(String.self, forKey: name) { return text }
                if let number = try? members?.decode(UInt64.self, forKey: name) { return String(number) }
            }
            return nil
        }
        self.init(
            item: text("appleItemId", "appleItemID"), version: text("appleVersionId", "appleVersionID"),
            shortVersion: text("shortVersionString"), bundleVersion: text("bundleVersion"),
            package: text("alternativeDistributionPackage"), token: text("installVerificationToken"),
            shareURL: text("appShareURL"))
    }
}

/// A coding key for any field name of a JSON object.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
