package import TenureClient
package import TenureContent
package import TenureCore

/// The result of a request to a content server.
package enum ContentReply<Value: Sendable>: Sendable {
    /// The request succeeded, with this value.
    case success(Value)
    /// The server refused the request, with its reasons.
    case refused(ContentServerRefusal)
    /// There was no usable response, for this reason; the request may or may not have taken effect.
    case unknown(RequestFailure)
}

extension ContentReply {
    /// Runs a further step after a success and returns its reply; a refusal or failure stays as it is.
    func then<Next: Sendable>(_ step: (Value) async -> ContentReply<Next>) async -> ContentReply<Next> {
        switch self {
        case .success(let value): await step(value)
        case .refused(let no): .refused(no)
        case .unknown(let unreached): .unknown(unreached)
        }
    }
}

/// A server's refusal of a whole request.
package struct ContentServerRefusal: Sendable, Hashable {
    /// The HTTP status of the response, such as 401.
    package let status: Int
    /// The reasons, most specific first; never empty.
    package let reasons: [ToldReason]

    /// Whether the holder must sign in again.
    package var needsToken: Bool { status == 401 }
}

/// A verified grant with the signed bytes that prove it.
package struct VerifiedGrant: Sendable, Hashable {
    package let grant: ContentGrant
    /// The compact JWS as received, for storage.
    package let proof: [UInt8]
}

/// A server's response about one content item.
package struct ContentItemAnswer: Sendable, Hashable {
    /// The license that the response names; `nil` if it names none.
    package var license: ContentLicenseID?
    /// The content item that the response names; `nil` if it names none.
    package var content: ContentID?
    package var outcome: ContentAnswer.Outcome
    /// The verified grant; `nil` after a refusal or a failed verification.
    package var grant: VerifiedGrant?
    /// The verified refusal; `nil` after a success or a failed verification.
    package var refusal: ContentRefusal?
    /// The reasons for a refusal, most specific first.
    package var reasons: [ToldReason]
    /// The use that the server has counted; `nil` if it didn't say.
    package var used: ContentUse?
    /// The highest sequence number that the server received for the license; `nil` if it didn't say.
    package var settled: Int64?
    /// How long to wait before the next request about the item, in seconds; `nil` if the server didn't say.
    package var retryAfter: Int64?
}

/// A server's response to a chunk of renewals or a usage report.
package struct ContentSettling: Sendable, Hashable {
    /// The responses, in the order of the request; empty for a usage report.
    package var items: [ContentItemAnswer] = []
    /// The highest sequence number that the server received for each license.
    package var settled: [ContentLicenseID: Int64] = [:]
    /// The use of each license that the server has counted; empty if it sends only sequence numbers.
    package var uses: [ContentLicenseID: SettledUse] = [:]
    /// The codes of rejected sessions, by their index in the report.
    package var refused: [Int: String] = [:]
    /// A new holder token; `nil` if the server sent none.
    package var token: String?
}

/// The use of a license that a server has counted, in its response to a report.
package struct SettledUse: Sendable, Hashable {
    /// The newest version of the license on the server.
    package let version: Int64
    /// The use of that version, or of all versions if renewals carry use over.
    package let used: ContentUse
}

/// A content item that the server offers a holder for offline use.
package struct OfferedContent: Sendable, Hashable {
    /// The id of the content item.
    package let content: ContentID
    package let title: String
    /// The course that covers the item; `nil` if the item is enrolled on its own.
    package let course: String?
    /// Why a license isn't available now; empty if it is.
    package let reasons: [ToldReason]
}

/// A device of the holder, as the server lists it.
package struct ListedDevice: Sendable, Hashable {
    /// The device's id: 64 hexadecimal digits.
    package let device: String
    /// The device's own name; may be empty.
    package let name: String
    /// When the device last sent a request; `nil` if the server didn't say.
    package let lastSeenAt: Timestamp?
    /// The ids of the content items on the device.
    package let contents: [String]
}

/// One license in a renewal request.
package struct RenewalItem: Sendable, Hashable {
    package let license: ContentLicenseID
    /// The version of the license that this device has stored.
    package let version: Int64
    /// The signed grant of ``version``, if the server requested it.
    package let proof: [UInt8]?
}
