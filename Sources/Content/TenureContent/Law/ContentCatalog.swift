public import TenureCore

/// The id that a vendor gives a content item: 1 to 128 characters of `A`-`Z`, `a`-`z`, `0`-`9`, `.`, `_`, `~`, `:` and
/// `-`.
public struct ContentID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as written in catalogs and requests, such as `mck-1`.
    public let text: String

    /// Creates an id; returns `nil` if the text has another length or other characters.
    public init?(_ text: String) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5F, 0x7E: true
            default: false
            }
        }
        guard allowed, (1...128).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The text itself, for paths and messages.
    public var description: String { text }

    /// Orders ids by the bytes of their text, as lists do.
    public static func < (one: ContentID, other: ContentID) -> Bool { one.text < other.text }
}

/// The id by which courses, items and enrolments refer to a content policy.
public typealias ContentPolicyID = Slug<ContentPolicy>

/// The id by which enrolments refer to a course.
public typealias CourseID = Slug<ContentCatalog.Course>

extension ContentCatalog {
    /// A group of content items that are licensed together.
    ///
    /// An enrolment covers the items that the course has at the time, so an item added later is covered at once.
    public struct Course: Sendable, Hashable {
        /// The id that the catalog and enrolments use for the course.
        public let id: CourseID
        /// The display name, for people only.
        public var title: String
        /// The policy of all licenses that are issued through the course; `nil` to use each item's own policy. An
        /// enrolment's policy takes precedence.
        public var policy: ContentPolicyID?
        /// The items that the course covers now.
        public var items: Set<ContentID>

        /// Creates a course with these values, which aren't checked.
        public init(id: CourseID, title: String, policy: ContentPolicyID? = nil, items: Set<ContentID> = []) {
            self.id = id
            self.title = title
            self.policy = policy
            self.items = items
        }
    }

    /// A content item that can be kept offline.
    public struct Item: Sendable, Hashable {
        /// The id that requests, grants and courses use for the item.
        public let id: ContentID
        /// The display name.
        public var title: String
        /// The policy of the item's licenses, unless the enrolment or the course has one.
        public var policy: ContentPolicyID
        /// The media content key by which Kollus identifies the item.
        public var kollusKey: String

        /// Creates an item with these values, which aren't checked.
        ///
        /// - Parameter kollusKey: The media content key in Kollus; `nil` to use the item's id.
        public init(id: ContentID, title: String, policy: ContentPolicyID, kollusKey: String? = nil) {
            self.id = id
            self.title = title
            self.policy = policy
            self.kollusKey = kollusKey ?? id.text
        }
    }
}

/// What a tenant licenses for offline use: content items, courses and policies.
public struct ContentCatalog: Sendable, Hashable {
    /// Who may get a content item.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// A holder with an enrolment that covers it.
        case enrolled
        /// Everyone: an enrolment is created at the first use.
        case open
    }

    /// Whether an item needs an enrolment or is available to everyone.
    public var access: Access
    /// The policies by id; courses, items and enrolments refer to them.
    public var policies: [ContentPolicyID: ContentPolicy]
    /// Every content item that can be licensed, by id.
    public var items: [ContentID: ContentCatalog.Item]
    /// The courses by id; their items are also in ``items``.
    public var courses: [CourseID: Course]

    /// Creates a catalog from its parts without checking that the ids refer to something in it.
    public init(
        access: Access = .enrolled, policies: [ContentPolicyID: ContentPolicy] = [:],
        items: [ContentID: ContentCatalog.Item] = [:], courses: [CourseID: Course] = [:]
    ) {
        self.access = access
        self.policies = policies
        self.items = items
        self.courses = courses
    }

    /// Whether an enrolment's scope covers a content item: directly, or as a current item of the course.
    public func covers(_ scope: Enrolment.Scope, _ content: ContentID) -> Bool {
        switch scope {
        case .content(let id): id == content && items[id] != nil
        case .course(let course): items[content] != nil && courses[course]?.items.contains(content) == true
        }
    }

    /// The policy of a content item under an enrolment; `nil` if the enrolment doesn't cover the item.
    ///
    /// The enrolment's own policy comes first, then the course's, then the item's.
    public func policy(of content: ContentID, under enrolment: Enrolment) -> ContentPolicy? {
        covers(enrolment.scope, content) ? formerPolicy(of: content, under: enrolment) : nil
    }

    /// The policy of a content item under an enrolment, even if the item is no longer covered; `nil` if none is known.
    public func formerPolicy(of content: ContentID, under enrolment: Enrolment) -> ContentPolicy? {
        let ofCourse: ContentPolicyID? =
            if case .course(let course) = enrolment.scope { courses[course]?.policy } else { nil }
        return (enrolment.policy ?? ofCourse ?? items[content]?.policy).flatMap { policies[$0] }
    }
}

/// The part of a tenant's configuration that this module adds.
struct TenantContents: TenantPart {
    var contents: ContentCatalog?

    /// The longest time for which a grant under any policy is valid; endless if a policy sets no limit, and `nil`
    /// without policies.
    var signedSpan: SignedSpan? {
        contents?.policies.values.map { $0.expiresAfterDays.map { SignedSpan(days: $0) } ?? .endless }.max()
    }
}

extension Tenant {
    /// The contents that can be licensed for offline use; `nil` if the tenant has no such contents.
    public var contents: ContentCatalog? {
        get { self[TenantContents.self].contents }
        _modify { yield &self[TenantContents.self].contents }
    }
}
