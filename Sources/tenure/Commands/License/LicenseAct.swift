import TenureCommandLine
import TenureCore
import TenureServer
import TenureStore

/// Carries out an operator's act on the license that the arguments name, and answers what came of it.
enum LicenseAct {
    static func perform(
        _ arguments: Parsed, console: Console, json: Argument<Bool> = SharedOptions.json,
        act: (License, CatalogCache) async throws -> OperatorAct
    ) async throws -> ExitCode {
        let installation = try await Installation.open(arguments, console: console)
        let license = try await LicenseReference.find(arguments, in: installation.store, console: console)
        let catalog = try await installation.catalog()
        let perform = ActOnLicense(catalog: catalog, clock: installation.clock)
        let outcome = try await perform(try await act(license, catalog), on: license.id, by: .commandLine)
        await installation.store.close()
        switch outcome {
        case .done(let license, let changed):
            if !changed { console.note("nothing changed: it was so already") }
            LicensePage.answer(license, at: installation.clock.now(), asJSON: arguments[json], on: console)
            return .done
        case .refused(let refusal):
            console.answer(refusal: refusal, asJSON: arguments[json])
            return .failed
        case .unknownPolicy(let policy):
            throw CommandError("The product \(license.product) has no policy \(policy). Nothing was changed.")
        }
    }
}
