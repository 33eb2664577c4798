import TenureClient
import TenureContent
import TenureCore

/// Up to 100 content items and the server's response for each.
///
/// Nothing has been applied to the ledger yet.
struct AskedChunk {
    /// The result of requesting one content item's renewal from the server.
    enum Outcome {
        /// The server responded about the item.
        case received(ServerReply)
        /// There was no usable response, for this reason.
        case untold(ToldReason)
        /// The device has no license for the item, so no request was sent.
        case notKept
        /// The user must agree to the renewal, but declined or wasn't asked.
        case unconfirmed
    }

    /// A response, with the license of the request.
    ///
    /// The stored license may have changed since.
    struct ServerReply {
        var answer: ContentItemAnswer
        let about: ContentLicenseID
        /// Whether the response grants a different license, because the server no longer had the previous one.
        var isAnew = false
        /// The highest sequence number that the server received for the license; `nil` if it didn't say.
        var settled: Int64?
    }

    /// Each content item of the chunk once, with its outcome, in the order in which results are reported.
    var outcomes: [(content: ContentID, outcome: Outcome)]
    /// Why requests about further items would fail, too; `nil` if they may succeed.
    var obstacle: ToldReason?

    /// Creates results for items without a usable response.
    ///
    /// - Parameters:
    ///   - contents: The content items.
    ///   - reason: Why there is no response.
    ///   - stops: Whether requests about other items would fail as well.
    init(_ contents: [ContentID], untold reason: ToldReason, stops: Bool = true) {
        outcomes = contents.map { ($0, .untold(reason)) }
        obstacle = stops ? reason : nil
    }

    /// Extends the chunk to more items; those that weren't requested get `.unconfirmed`.
    func among(_ contents: [ContentID]) -> AskedChunk {
        let outcomeByContent = Dictionary(outcomes.map { ($0.content, $0.outcome) }) { first, _ in first }
        var chunk = self
        chunk.outcomes = contents.map { ($0, outcomeByContent[$0] ?? .unconfirmed) }
        return chunk
    }

    /// Assigns responses to content items.
    ///
    /// - Parameters:
    ///   - contents: The content items, in the order of ``outcomes``.
    ///   - answers: The requested grants, each with its response; `nil` if no response matches.
    ///   - settled: The highest sequence number that the server received, by license.
    init(
        _ contents: [ContentID], _ answers: [(ContentGrant, ContentItemAnswer?)],
        _ settled: [ContentLicenseID: Int64] = [:]
    ) {
        let byContent = Dictionary(answers.map { ($0.0.content, $0) }) { first, _ in first }
        outcomes = contents.map { content in
            guard let (license, answer) = byContent[content] else { return (content, .notKept) }
            guard let answer else { return (content, .untold(.unverifiedAnswer)) }
            return (
                content,
                .received(ServerReply(answer: answer, about: license.license, settled: settled[license.license]))
            )
        }
    }
}

extension ContentSettling {
    /// The response about one of the requested grants.
    ///
    /// The response at the same index is used, unless it names another license. Returns `nil` if no response matches,
    /// or if the match concerns different content.
    func answer(about grant: ContentGrant, at index: Int) -> ContentItemAnswer? {
        let atPlace = items.indices.contains(index) ? items[index] : nil
        let isAtPlace = atPlace.map { $0.license == nil || $0.license == grant.license } ?? false
        guard let answer = isAtPlace ? atPlace : items.first(where: { $0.license == grant.license }),
            answer.content == nil || answer.content == grant.content,
            answer.grant == nil || answer.grant?.grant.license == grant.license
        else { return nil }
        return answer
    }
}

extension ContentItemAnswer {
    /// Whether the response says that the server doesn't have the license.
    var isOfUnknownLicense: Bool {
        outcome == .invalid && reasons.first?.code == Reason.Kind.contentLicenseUnknown.text
    }
}
