/// A server's answer about updates, or about restores, as far as a marketplace app needs it.
///
/// Any member may be missing or of another type: that costs the entry, with a reason, and not the answer.
public struct UpdateAnswer: Sendable, Hashable, Decodable {
    /// What may be installed, in the server's order; at most 2,000.
    public let entries: [Entry]

    /// One app's update; members that are missing or no text are nil. Numbers are taken for texts of their digits.
    public struct Entry: Sendable, Hashable {
        /// `appleItemId`, in either spelling.
        public var item: String?
        /// `appleVersionId`, in either spelling.
        public var version: String?
        /// `shortVersionString`.
        public var shortVersion: String?
        /// `bundleVersion`.
        public var bundleVersion: String?
        /// `alternativeDistributionPackage`: where its package is.
        public var package: String?
        /// `installVerificationToken`.
        public var token: String?
        /// `appShareURL`.
        public var shareURL: String?

        /// Puts one together.
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

    /// Puts one together.
    public init(entries: [Entry]) {
        self.entries = Array(entries.prefix(Self.most))
    }

    /// Reads `{"updates": [...]}`; Apple's page also calls the list `restores`.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let name = members.contains(MemberName("updates")) ? "updates" : "restores"
        self.init(entries: try members.decode([Entry].self, forKey: MemberName(name)))
    }

    private static let most = 2000
}

extension UpdateAnswer.Entry: Decodable {
    /// Reads one; anything but an object is one without members.
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

/// A member of a JSON object, whatever it is called.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
