import Foundation
import GoldenFiles
import TenureCore
import TenureLicensing
import Testing

/// Compares every row of the documented table of replaced keys with the code's decisions.
@Suite struct FormerKeyTableTests {
    @Test(arguments: try documentedRows())
    func `a device with a former key gets the response that the documented table lists for each request`(_ row: Row)
        throws
    {
        let situation = try Situation(replacement: row.replacement, device: row.device)
        #expect(situation.refresh() == row.refresh, "refresh")
        #expect(situation.activate() == row.activate, "activate")
        #expect(situation.release() == row.release, "release")
    }

    @Test func `the documented table of replaced keys lists every kind of key replacement`() throws {
        let rows = try Self.documentedRows()
        #expect(Set(rows.map(\.replacement)) == Set(Situation.replacements.keys))
        #expect(rows.count == 14)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let replacement, device, refresh, activate, release: String
        var testDescription: String { "\(replacement): \(device)" }
    }

    static func documentedRows() throws -> [Row] {
        let page = URL.packageRoot.appending(path: "Documentation/license-states.md")
        let part = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "## Replaced keys").last ?? ""
        return part.components(separatedBy: "\n## ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst()
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .map { Row(replacement: $0[0], device: $0[1], refresh: $0[2], activate: $0[3], release: $0[4]) }
    }
}

/// A license whose key was replaced, and a device that sends requests with the license's first key.
private struct Situation {
    static let replacements: [String: [KeptDevices]] = [
        "plain": [.none],
        "keeps devices": [.active],
        "keeps devices activated before a date": [.activatedBefore(Given.now.adding(days: -3))],
        "keeps devices, later keeps devices": [.active, .active],
        "keeps devices, later only those activated before a date": [
            .active, .activatedBefore(Given.now.adding(days: -3)),
        ],
        "keeps devices, later plain": [.active, .none],
        "keeps devices, later transferred": [.active],
    ]

    private let license: License
    private let former: FormerKey
    private let activation: Activation
    private let own: DeviceIdentity
    private let now = Given.now.adding(days: 5)

    init(replacement: String, device: String) throws {
        var license = Given.license()
        var keys: [FormerKey] = []
        func apply(_ decision: Decision<Consequences>) throws {
            let consequences = try #require(decision.outcome)
            license = try #require(consequences.license)
            let saved = Set(consequences.formerKeys.map(\.hash))
            keys = keys.filter { !saved.contains($0.hash) } + consequences.formerKeys
        }
        for (number, stored) in try #require(Self.replacements[replacement]).enumerated() {
            let key = LicenseKey(hash: Digest([UInt8](repeating: UInt8(8 + number), count: 32))!, masked: "NOTE-*")
            try apply(
                KeyReplacement(with: key, keeping: stored).decide(
                    on: license, after: keys, by: Given.operatorAda, at: Given.now.adding(days: number)))
        }
        let own = DeviceIdentity.machine("ab")
        var activation = Given.activation(identity: own, at: Given.now.adding(days: -5))
        switch device {
        case "active": break
        case "activated on that date or later":
            activation = Given.activation(identity: own, at: Given.now.adding(days: -3))
        case "activated later, with the new key":
            activation = Given.activation(identity: own, at: Given.now.adding(days: 1))
        case "released":
            activation = Given.activation(identity: own, at: Given.now.adding(days: -5), released: Given.now)
        case "another device, which knows the activation":
            activation = Given.activation(identity: .machine("cd"), at: Given.now.adding(days: -5))
        case "active, license suspended":
            try apply(license.suspend(by: Given.operatorAda, at: Given.now.adding(days: 2)))
        default: Issue.record("unknown device: \(device)")
        }
        if replacement.hasSuffix("transferred") {
            let key = LicenseKey(hash: Digest([UInt8](repeating: 20, count: 32))!, masked: "NOTE-*")
            let decision = LicenseTransfer(to: "eve", key: key).decide(
                on: license, releasing: [activation], after: keys, by: Given.operatorAda, at: Given.now.adding(days: 2))
            activation = try #require(decision.outcome?.activations.first)
            try apply(decision)
        }
        self.license = license
        self.activation = activation
        self.own = own
        former = try #require(keys.first { $0.hash == Given.key.hash })
    }

    func refresh() -> String {
        switch former.validate(activation, of: license, from: own, under: Given.policy(), at: now) {
        case .valid(let lease): "lease \(lease.status.rawValue)"
        case .refused(let refusal, _): "no: \(refusal.first.code)"
        }
    }

    func activate() -> String {
        // Like the store, it finds only an active activation of the requesting device.
        let existing = activation.isLive && activation.identity == own ? activation : nil
        switch former.activate(
            Given.attempt(own), of: license, existing: existing, under: Given.policy(limit: 1), at: now)
        {
        case .activated(let same, _, let consequences):
            return same == activation && consequences.isEmpty ? "the same activation" : "another activation"
        case .refused(let refusal, _, _): return "no: \(refusal.first.code)"
        }
    }

    func release() -> String {
        switch former.deactivate(activation, of: license, from: own, under: nil, at: now) {
        case .granted(let consequences): consequences.activation == nil ? "unchanged" : "released"
        case .refused(let refusal): "no: \(refusal.first.code)"
        }
    }
}
