import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// Performs one act on all licenses that the arguments select, and prints the results.
struct LicenseManyAct {
    let act: OperatorAct
    let question: LicenseSelection.Question
    /// The act for licenses of other features; `nil` if they don't support it.
    var other: LicenseStateAction?
    var reason: StatedReason?
    /// The command's name and the arguments that determine the act, if the command accepts an idempotency key.
    var idempotentCommand: (name: String, deciding: [any DeclaredArgument])?
    /// Decides for one license what to ask before the act and what to say after it; `nil` for neither.
    var consider: (@Sendable (License, CatalogSnapshot) throws -> Consideration?)?

    /// The texts for a person about the act on a license.
    struct Consideration {
        /// The effect of the act, as a sentence.
        let fact: String
        /// The alternative to the act, as a sentence.
        let cure: String
        /// A note after the act, as a sentence.
        let note: String
    }

    func perform(_ installations: Installations, _ arguments: Parsed, _ console: Console) async throws -> ExitCode {
        try LicenseSelection.check(arguments)
        let installation = try await installations.open(arguments, console: console)
        let licensing = try await installation.licensing()
        let snapshot = licensing.catalog.current
        let selection = try await LicenseSelection.choose(arguments, in: installation, console) { licenses in
            var question = question
            let considered = try licenses.compactMap { try consider?($0, snapshot) }
            if let first = considered.first {
                question.warning = considered.count == 1 ? first.fact : "\(considered.count) of them: \(first.fact)"
            }
            return question
        }
        if let other = selection.others.first {
            if self.other == nil { throw CommandError(other.refusal) }
            if reason != nil {
                throw CommandError("\(other.name) is an app license, which keeps no reasons. Leave out --reason.")
            }
        }
        let products = selection.products
        let single = products.count == 1 && selection.others.isEmpty ? products.first : nil
        if let single, let considered = try consider?(single, snapshot), !LicenseSelection.isSure(arguments) {
            try console.confirm(
                considered.fact, orElse: "Nothing was \(question.done): \(considered.fact) \(considered.cure)")
        }
        var code = ExitCode.done
        let interruption = products.count > 1 ? Interruption() : nil
        var (performed, unchanged) = (0, 0)
        let requests = products.map { request(for: $0, arguments) }
        for case let request? in requests {
            let repetition = try await licensing.catalog.repetition(of: request, at: installation.clock.now())
            if case .keyReused = repetition { throw RepeatableRequest.keyReused(arguments) }
        }
        for (license, request) in zip(products, requests) {
            if interruption?.isAsked ?? false {
                console.warn(
                    "stopped: \(performed) of \(products.count) licenses were \(question.done); the next is \(license.id)"
                )
                await installation.store.close()
                return .interrupted
            }
            let done = try await licensing.performOnce(
                request, act, because: reason, on: license.id, of: nil, by: .commandLine
            ) { outcome in
                guard case .done(let license, _, _) = outcome else { return nil }
                return RepeatableAnswer([], records: [license.id.number])
            }
            guard case .done(let outcome) = done else {
                if case .keyReused = done { throw RepeatableRequest.keyReused(arguments) }
                try await printRepeated(license, in: installation, arguments, console)
                performed += 1
                unchanged += 1
                continue
            }
            if single == nil, case .refused = outcome, !arguments[SharedOptions.json] {
                console.note("\(license.id) was not \(question.done):")
            }
            if single == nil, case .done(_, _, false) = outcome {
                unchanged += 1
                if !arguments[SharedOptions.json] { console.note("\(license.id):") }
            }
            let note = try consider?(license, snapshot)?.note
            let plan = LicenseAct.Plan(act: act, reason: reason, note: note)
            let one = try LicenseAct.answer(outcome, on: license, plan, arguments, installation.clock, console)
            if one == .done { performed += 1 } else { code = one }
        }
        await installation.store.close()
        if products.count > 1 {
            let before = unchanged > 0 ? "; \(unchanged) of them were before" : ""
            console.note("\(performed) of \(products.count) licenses are \(question.done)\(before)")
        }
        guard let other else { return code }
        for license in selection.others {
            let installation = try await installations.open(arguments, console: console)
            let one = try await license.perform(
                other, in: installation, asJSON: arguments[SharedOptions.json], on: console)
            if one != .done { code = one }
        }
        return code
    }

    /// The act on a license as a request with the command's idempotency key; `nil` without a key.
    private func request(for license: License, _ arguments: Parsed) -> RepeatableRequest? {
        idempotentCommand.flatMap { command in
            RepeatableRequest.command(
                arguments, command.name, deciding: command.deciding, on: license.id.description,
                of: license.product.tenant)
        }
    }

    /// Prints a license on which an earlier command with the same idempotency key acted.
    private func printRepeated(
        _ license: License, in installation: Installation, _ arguments: Parsed, _ console: Console
    ) async throws {
        guard let license = try await installation.store.license(license.id) else { return }
        var page = LicensePage(license: license, now: installation.clock.now())
        page.isRepeated = true
        page.answer(asJSON: arguments[SharedOptions.json], on: console)
        console.note("\(license.id): \(RepeatableRequest.repetitionNote)")
    }
}
