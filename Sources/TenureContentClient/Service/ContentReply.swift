package import TenureClient
package import TenureCore
package import TenureFormats

/// What came of asking a server about content.
package enum ContentReply<Value: Sendable>: Sendable {
    /// It answered.
    case yes(Value)
    /// It said no.
    case no(ContentNo)
    /// Nothing came that means anything.
    case unknown(Unreached)
}

/// A server's no to a whole request.
package struct ContentNo: Sendable, Hashable {
    /// The HTTP status.
    package let status: Int
    /// Why, most specific first; never empty.
    package let reasons: [ToldReason]

    /// Whether the holder has to sign in again.
    package var needsToken: Bool { status == 401 }
}

/// A grant that was verified, with the bytes that prove it.
package struct VerifiedGrant: Sendable, Hashable {
    /// What it permits.
    package let grant: ContentGrant
    /// The signed bytes.
    package let proof: [UInt8]
}

/// What a server answered about one content.
package struct ContentItemAnswer: Sendable, Hashable {
    /// Which license it names; nil for none.
    package var license: ContentLicenseID?
    /// Which content it names; nil for none.
    package var content: ContentID?
    /// What it comes to.
    package var outcome: ContentAnswer.Outcome
    /// The grant; nil for a no, and where what came does not verify.
    package var grant: VerifiedGrant?
    /// The signed no; nil for a yes, and where what came does not verify.
    package var refusal: ContentRefusal?
    /// Why not, most specific first.
    package var reasons: [ToldReason]
    /// What the server knows of use; nil when it did not say.
    package var used: ContentUse?
    /// How long it wants to be left alone about it, in seconds.
    package var retryAfter: Int64?
}

/// What a server answered to a chunk of renewals, or to a report of use.
package struct ContentSettling: Sendable, Hashable {
    /// The answers, in the order of the questions; empty for a report of use.
    package var items: [ContentItemAnswer] = []
    /// The highest sequence that was received of each license.
    package var settled: [ContentLicenseID: Int64] = [:]
    /// What the server knows of each license's use; empty at a server that tells only sequences.
    package var uses: [ContentLicenseID: SettledUse] = [:]
    /// The sessions that fit nowhere, by their place among those that were sent.
    package var refused: [Int: String] = [:]
    /// The holder's next token, where the present one gets old.
    package var token: String?
}

/// What a server knows of a license's use, in the answer to a report of it.
package struct SettledUse: Sendable, Hashable {
    /// The newest version of the license at the server.
    package let version: Int64
    /// The use of that version; of all versions where a renewal carries use over.
    package let used: ContentUse
}

/// A content that a holder may keep.
package struct OfferedContent: Sendable, Hashable {
    /// Which content.
    package let content: ContentID
    /// Its name for people.
    package let title: String
    /// The course that covers it; nil when it is covered by itself.
    package let course: String?
    /// Why nothing is given for it now; empty when it is.
    package let reasons: [ToldReason]
}

/// A device of the holder's.
package struct ListedDevice: Sendable, Hashable {
    /// 64 hexadecimal digits.
    package let device: String
    /// What it calls itself; may be empty.
    package let name: String
    /// When it asked last.
    package let lastSeenAt: Timestamp?
    /// What it keeps.
    package let contents: [String]
}

/// One license in a request for renewals.
package struct RenewalItem: Sendable, Hashable {
    /// Which license.
    package let license: ContentLicenseID
    /// The version that is here.
    package let version: Int64
    /// The signed grant of that version, where the server asked for it.
    package let proof: [UInt8]?
}
