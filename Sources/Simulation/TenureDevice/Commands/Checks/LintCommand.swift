import Glibc
package import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFiles
import TenureFormats
import TenureMarketplace

package enum LintCommand {
    private static let paths = Argument.positionals(
        "PATH", "A file, or the folder of a package.", as: .text, isRequired: true)
    private static let kind: Argument<LintKind?> = .optional(
        "kind", "KIND", "The kind of the files, if it can't be detected.", as: .choice())
    private static let publicKey: Argument<String?> = .optional(
        "public-key", "FILE", "The distribution public key in PEM; tokens must be signed with its private key.",
        as: .text)
    private static let strict = Argument.flag("strict", "Treat warnings as errors.")

    /// A closure that compares the files of a package in a folder with the package's manifest; it returns `nil` if the
    /// folder no longer exists.
    package typealias CheckPackage =
        @Sendable (_ folder: String, _ report: (_ bytes: Int64, _ total: Int64) -> Void) throws -> CheckedPackage?

    /// A package's manifest, and the errors in its files.
    package struct CheckedPackage {
        let manifest: [UInt8]?
        let faults: [(kind: String, path: String, text: String)]

        package init(manifest: [UInt8]?, faults: [(kind: String, path: String, text: String)]) {
            self.manifest = manifest
            self.faults = faults
        }
    }

    package static func command(checkingPackagesWith check: @escaping CheckPackage) -> Command {
        Command(
            "lint", "Checks the files of any marketplace for mistakes.",
            discussion: """
                Checks a configuration, a package's manifest, the metadata of an authorization server, an install \
                token, or a folder with an assembled package, whose bytes are compared with their digests. Nothing is \
                sent or changed. Each finding has a stable name, listed in Documentation/lint.md. Exits with 1 if \
                something is wrong, and with 2 if something cannot be read.
                """,
            example: """
                tenure lint marketplace-kit.json manifest.json
                tenure lint ./package --strict
                tenure lint token.jwt --public-key distribution.pem --json
                """,
            arguments: [paths, kind, publicKey, strict, Argument.json],
            output: DeviceOutputs.lint
        ) { arguments, console in
            let key = try arguments[publicKey].map(DistributionKeyFile.read)
            var looked: [LintedPath] = []
            for path in arguments[paths] { looked.append(try lint(at: path, as: arguments[kind], key, check, console)) }
            if arguments[Argument.json] { answer(looked, on: console) } else { tell(looked, on: console) }
            if looked.contains(where: { $0.kind == nil }) { return .usage }
            let grave: Set<LintRule.Severity> = arguments[strict] ? [.error, .warning] : [.error]
            return looked.flatMap(\.findings).contains { grave.contains($0.rule.severity) } ? .failed : .done
        }
    }

    /// The findings for one path; `kind` is `nil` if the path can't be read.
    private struct LintedPath {
        let path: String
        var kind: LintKind?
        var findings: [LintFinding] = []
        var unreadable: String?
        var bytes: [UInt8] = []
    }

    /// The maximum number of bytes that are read of a file: one more than the longest valid manifest, so that a longer
    /// file is recognized.
    private static let longest = PackageManifest.byteLimit + 1

    private static func lint(
        at path: String, as kind: LintKind?, _ key: P256.PublicKey?, _ check: CheckPackage, _ console: Console
    ) throws -> LintedPath {
        do throws(Errno) {
            let bytes = try CallersFile.bytes(of: path, limit: longest)
            guard let kind = kind ?? LintKind(of: bytes, named: path) else {
                let broken = LintedFile.brokenJSON(in: bytes).map { " (\($0))" } ?? ""
                return LintedPath(path: path, unreadable: "its kind can't be detected\(broken); set it with --kind")
            }
            if kind == .package {
                return LintedPath(path: path, unreadable: "it is not a folder, but a package must be one")
            }
            let findings = LintedFile.findings(
                in: bytes, as: kind, key: key, at: SystemClock().now().seconds)
            return LintedPath(path: path, kind: kind, findings: findings, bytes: bytes)
        } catch {
            if error.rawValue == EISDIR {
                if let kind, kind != .package {
                    return LintedPath(path: path, unreadable: "it is a folder, not a file of kind \(kind.rawValue)")
                }
                if let package = try package(at: path, check, console) { return package }
            }
            return LintedPath(path: path, unreadable: "it cannot be read: \(error)")
        }
    }

    /// Checks a folder as a package, together with its manifest; returns `nil` if the folder no longer exists.
    private static func package(at path: String, _ check: CheckPackage, _ console: Console) throws -> LintedPath? {
        let progress = console.progress("checking", total: 100)
        var shown = 0
        let checked = try check(path) { done, total in
            let percent = total > 0 ? Int(done * 100 / total) : 0
            progress.advance(by: percent - shown)
            shown = percent
        }
        progress.finish()
        guard let checked else { return nil }
        let (manifest, faults) = (checked.manifest, checked.faults)
        var looked = LintedPath(path: path, kind: .package, bytes: manifest ?? [])
        looked.findings = manifest.map { LintedFile.findings(in: $0, as: .manifest) } ?? []
        looked.findings += faults.compactMap { fault in
            LintRule.package(fault.kind).map { LintFinding($0, at: fault.path, "\(fault.text).") }
        }
        looked.findings += LintRule.package("signature_unchecked").map { [LintFinding($0, at: "signature")] } ?? []
        return looked
    }

    /// Prints the results, with control characters escaped, because messages may quote a file's contents.
    private static func tell(_ looked: [LintedPath], on console: Console) {
        for file in looked {
            guard let kind = file.kind else {
                console.fail("\(file.path): \(file.unreadable ?? "")".printable)
                continue
            }
            let counts = [LintRule.Severity.error, .warning].map { severity in
                let count = file.findings.count { $0.rule.severity == severity }
                return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
            }
            var lines = ["\(file.path): \(kind.rawValue), \(counts.joined(separator: ", "))"]
            var places = JSONPlaces(in: file.bytes)
            for finding in file.findings {
                let pointer = finding.pointer.isEmpty ? "" : " \(finding.pointer)"
                let hasPlace = kind != .token && finding.pointer.hasPrefix("/") && !finding.rule.id.hasPrefix("package")
                let position = (hasPlace ? places.next(finding.pointer) : nil).map { " (\($0))" } ?? ""
                lines.append("  \(finding.rule.severity.rawValue)  \(finding.rule.id)\(pointer)\(position)")
                lines.append("      \(finding.message) \(finding.rule.fix)")
            }
            console.answer(lines: lines)
        }
    }

    private static func answer(_ looked: [LintedPath], on console: Console) {
        console.answer { body in
            body.array("files") { files in
                for one in looked {
                    files.object { file in
                        file.member("path", one.path)
                        file.member("kind", one.kind?.rawValue)
                        if let unreadable = one.unreadable { file.member("unreadable", unreadable) }
                        file.array("findings") { list in
                            for finding in one.findings { list.object { $0.finding(finding) } }
                        }
                    }
                }
            }
        }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func finding(_ finding: LintFinding) {
        member("id", finding.rule.id)
        member("severity", finding.rule.severity.rawValue)
        member("pointer", finding.pointer)
        member("message", finding.message)
        member("fix", finding.rule.fix)
        member("source", finding.rule.source)
    }
}
