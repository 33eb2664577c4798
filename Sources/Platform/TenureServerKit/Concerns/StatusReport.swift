package import TenureCore
package import TenureFormats
package import TenureStore

/// A feature's part of `tenure status`.
package struct StatusReport: Sendable {
    /// Paragraphs for the command's help page; may be empty.
    package let discussion: String
    /// The members that the feature adds to the JSON object.
    package let members: [Schema.OutputMember]
    /// Reads the installation and returns the parts in display order.
    package let read: @Sendable (StatusContext) async throws -> [StatusPart]

    package init(
        discussion: String = "", members: [Schema.OutputMember],
        read: @escaping @Sendable (StatusContext) async throws -> [StatusPart]
    ) {
        self.discussion = discussion
        self.members = members
        self.read = read
    }
}

/// A group of facts about an installation, as text and as JSON.
package struct StatusPart: Sendable {
    /// The sections of the status, in order.
    package enum Section: Sendable {
        /// The numbers of records in the installation.
        case contents
        /// The configuration, and problems that need attention soon.
        case details
    }

    package let section: Section
    /// The lines of text; each begins with a label padded to 12 characters.
    package let lines: [String]
    /// Writes the members that the part adds to the JSON object.
    package let write: @Sendable (inout JSONObjectWriter) -> Void

    package init(
        _ section: Section, _ lines: [String], write: @escaping @Sendable (inout JSONObjectWriter) -> Void
    ) {
        self.section = section
        self.lines = lines
        self.write = write
    }
}

/// The installation whose status is read.
package struct StatusContext: Sendable {
    package let store: any Store
    package let clock: any WallClock
    package let now: Timestamp
    package let catalog: Catalog

    /// The tenants, by id.
    package var tenants: [Tenant] { catalog.tenants.values.sorted { $0.id < $1.id } }
}
