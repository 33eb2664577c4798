import TenureClient
import TenureCore

/// Up to 100 contents that a server was asked about, and what came of each; nothing of it is taken in yet.
struct AskedChunk {
    /// What came of asking about one content.
    enum Outcome {
        /// An answer.
        case told(Told)
        /// Nobody could tell.
        case untold(ToldReason)
        /// There was no license to ask about.
        case notKept
        /// The person was not asked, or did not agree.
        case unconfirmed
    }

    /// An answer about a content, and about which license it was asked for: what is kept may be another by now.
    struct Told {
        var answer: ContentItemAnswer
        let about: ContentLicenseID
        /// Whether it gives another license, the server having lost that one.
        var isAnew = false
        /// The highest change of the license's ledger that the server received; nil when it did not say.
        var settled: Int64?
    }

    /// Each content once, in order.
    var outcomes: [(content: ContentID, outcome: Outcome)]
    /// What keeps anybody from asking about more.
    var obstacle: ToldReason?

    /// Nobody could tell about any of them.
    /// - Parameter stops: Whether nobody could about others either.
    init(_ contents: [ContentID], untold reason: ToldReason, stops: Bool = true) {
        outcomes = contents.map { ($0, .untold(reason)) }
        obstacle = stops ? reason : nil
    }

    /// The same about more contents, in their order, of which the others were not asked about.
    func among(_ contents: [ContentID]) -> AskedChunk {
        let told = Dictionary(outcomes.map { ($0.content, $0.outcome) }) { first, _ in first }
        var chunk = self
        chunk.outcomes = contents.map { ($0, told[$0] ?? .unconfirmed) }
        return chunk
    }

    /// Puts answers to the contents that they are about: by content, and by the license that was asked about.
    /// - Parameter answers: The grants that were asked about, each with its answer; nil for none that is of this question.
    init(
        _ contents: [ContentID], _ answers: [(ContentGrant, ContentItemAnswer?)],
        _ settled: [ContentLicenseID: Int64] = [:]
    ) {
        let byContent = Dictionary(answers.map { ($0.0.content, $0) }) { first, _ in first }
        outcomes = contents.map { content in
            guard let (asked, answer) = byContent[content] else { return (content, .notKept) }
            guard let answer else { return (content, .untold(.unverifiedAnswer)) }
            return (content, .told(Told(answer: answer, about: asked.license, settled: settled[asked.license])))
        }
    }
}

extension ContentSettling {
    /// The answer about one of the grants that were asked about: the one at its place, unless that names another license.
    /// Nil when none is about it, and when what it names is another content's.
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
    /// Whether the server knows no such license.
    var isOfUnknownLicense: Bool {
        outcome == .invalid && reasons.first?.code == Reason.Kind.contentLicenseUnknown.text
    }
}
