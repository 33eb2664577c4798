import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicenseIssueCommand {
    /// Issues an order once for its idempotency key.
    static func issueOnce(
        _ request: RepeatableRequest, _ order: LicenseOrder, _ licensing: LicensingContext, _ arguments: Parsed,
        in installation: Installation, _ console: Console
    ) async throws -> ExitCode {
        var order = order
        order.count = arguments[count]
        guard order.count <= batch else { throw UsageError("with --idempotency-key, --count is at most \(batch)") }
        let outcome = try await licensing.issueLicensesOnce(request, order, by: .commandLine) { issued in
            issued.map { issued in
                RepeatableAnswer(
                    Array(issued.map(\.keyText).joined(separator: "\n").utf8), records: issued.map(\.license.id.number))
            }
        }
        switch outcome {
        case .keyReused: throw RepeatableRequest.keyReused(arguments)
        case .repeated(let earlier): try await printLicenses(earlier, licensing, arguments, in: installation, console)
        case .done(nil):
            throw CommandError(
                "The policy \(order.policy) of \(order.product) no longer exists; nothing was issued. Run `tenure apply "
                    + "FILE` to add it again.")
        case .done(let issued?):
            for issued in issued {
                LicensePage(license: issued.license, newKey: issued.keyText, now: installation.clock.now())
                    .answer(asJSON: arguments[SharedOptions.json], on: console)
            }
        }
        await installation.store.close()
        return .done
    }

    /// Prints the licenses of an earlier command with the same idempotency key; returns `nil` if there was none.
    static func printEarlier(
        _ request: RepeatableRequest, _ licensing: LicensingContext, _ arguments: Parsed, in installation: Installation,
        _ console: Console
    ) async throws -> ExitCode? {
        switch try await licensing.catalog.repetition(of: request, at: installation.clock.now()) {
        case nil: return nil
        case .keyReused: throw RepeatableRequest.keyReused(arguments)
        case .repeated(let earlier):
            try await printLicenses(earlier, licensing, arguments, in: installation, console)
            await installation.store.close()
            return .done
        }
    }

    /// Prints the licenses in their current state. For a day, it also prints their keys, for a person whose terminal or
    /// script lost them.
    private static func printLicenses(
        _ earlier: IdempotentResponse, _ licensing: LicensingContext, _ arguments: Parsed,
        in installation: Installation,
        _ console: Console
    ) async throws {
        let now = installation.clock.now()
        let response = try await licensing.catalog.response(of: earlier, at: now)
        let keys = response?.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        for (position, number) in earlier.recordNumbers.enumerated() {
            guard let id = LicenseID(number: number), let license = try await installation.store.license(id)
            else { continue }
            // Leave out a key that has been replaced since, because it no longer works.
            let key = (keys?[position]).flatMap { LicenseKeyText($0)?.digest == license.key.hash ? $0 : nil }
            var page = LicensePage(license: license, newKey: key, now: now)
            page.isRepeated = true
            page.answer(asJSON: arguments[SharedOptions.json], on: console)
        }
        console.note(RepeatableRequest.repetitionNote)
    }
}
