import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicenseIssueCommand {
    /// Issues an order once for its idempotency key; a repetition prints the same licenses as they are now.
    ///
    /// For a day it prints their keys again, for a person whose terminal or script lost them.
    static func issueOnce(
        _ order: IssueLicenses.Order, _ issue: IssueLicenses, _ arguments: Parsed, in installation: Installation,
        _ console: Console
    ) async throws -> ExitCode {
        var order = order
        order.count = arguments[count]
        guard order.count <= batch else { throw UsageError("with --idempotency-key, --count is at most \(batch)") }
        let request = RepeatableRequest.command(
            arguments, "license issue", deciding: deciding, of: order.product.tenant)
        let outcome = try await issue.once(request, order, by: .commandLine) { issued in
            issued.map { issued in
                RepeatableAnswer(
                    Array(issued.map(\.keyText).joined(separator: "\n").utf8), records: issued.map(\.license.id.number))
            }
        }
        let now = installation.clock.now()
        switch outcome {
        case .keyReused: throw RepeatableRequest.keyReused(arguments)
        case .done(nil):
            throw CommandError(
                "The policy \(order.policy) of \(order.product) no longer exists; nothing was issued. Run `tenure apply "
                    + "FILE` to add it again.")
        case .done(let issued?):
            for issued in issued {
                LicensePage(license: issued.license, newKey: issued.keyText, now: now)
                    .answer(asJSON: arguments[SharedOptions.json], on: console)
            }
        case .repeated(let earlier):
            let response = try issue.licensing.catalog.master.response(of: earlier, at: now)
            let keys = response?.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
            for (position, number) in earlier.recordNumbers.enumerated() {
                guard let id = LicenseID(number: number), let license = try await installation.store.license(id)
                else { continue }
                var page = LicensePage(license: license, newKey: keys?[position], now: now)
                page.isRepeated = true
                page.answer(asJSON: arguments[SharedOptions.json], on: console)
            }
            console.note(RepeatableRequest.repetitionNote)
        }
        await installation.store.close()
        return .done
    }
}
