import Foundation
import GoldenFiles
import TenureCore
import TenureFormats
import TenureSelling

/// Bodies of a provider's messages, written according to the provider's documentation.
enum ProviderFixtures {
    static func names(_ provider: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder(provider).path).map {
            $0.replacing(".json", with: "")
        }
        .sorted()
    }

    static func body(_ provider: String, _ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder(provider).appending(path: "\(name).json")))
    }

    static func text(_ provider: String, _ name: String) throws -> String {
        String(decoding: try body(provider, name), as: UTF8.self)
    }

    private static func folder(_ provider: String) -> URL {
        URL.packageRoot.appending(path: "Tests/Fixtures/selling/\(provider)")
    }

    static func stripe(_ name: String, _ supplement: Supplement = Supplement()) throws -> MessageContent {
        try StripeMessage(parsing: body("stripe", name)).content(with: supplement)
    }
}

extension MessageContent {
    /// The report about an order; `nil` if the content has none.
    var report: OrderReport? {
        switch self {
        case .order(let report), .invoice(let report), .lacking(_, let report): report
        case .unused, .noted, .customer: nil
        }
    }

    /// The kinds of the report's facts.
    var kinds: [ReportedFact.Kind] { report?.facts.map(\.kind) ?? [] }

    /// The first sale or paid period.
    var sale: Sale? {
        kinds.lazy.compactMap { kind in
            switch kind {
            case .sold(let sale), .trialBegun(let sale), .periodPaid(let sale): sale
            default: nil
            }
        }.first
    }
}

/// A seeded random number generator, so that a failing case can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
