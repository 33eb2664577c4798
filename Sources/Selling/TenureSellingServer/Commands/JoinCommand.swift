import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureSelling
import TenureServerKit
import TenureStore

/// The command `tenure order join`.
enum JoinCommand {
    private static let reference = Argument.positional(
        "REFERENCE", "The provider's id of the order, as `tenure intake list` shows it for the parked message.",
        as: ArgumentReading<ProviderID>.providerID)
    private static let source: Argument<SourceID?> = .optional(
        "source", "SOURCE", "The source of the payments; needed if several sources could have the order.", as: .slug())

    static func command(_ installations: Installations) -> Command {
        Command(
            "join", "Joins a license to an order that Tenure doesn't know, such as a subscription that began earlier.",
            discussion: """
                The license gets the reference as its order, and the order's parked messages are acted on again: they \
                extend the license instead of issuing one. A license of another order, of another product or policy, or one \
                that is revoked is refused.
                """,
            example: "tenure order join sub_1Q NOTE-PRO0-0000-0001",
            arguments: [reference] + LicenseReference.certainArguments + [source, SharedOptions.json],
            output: JoinedOrder.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let license = try await LicenseReference.find(arguments, in: installation, console: console)
            var random = SystemRandomNumberGenerator()
            let request = JoinOrder.Request(
                tenant: license.product.tenant, source: arguments[source], reference: arguments[reference],
                license: license.id, actor: .commandLine, job: .random(using: &random))
            let join = JoinOrder(catalog: try await installation.catalog(), clock: installation.clock)
            let outcome = try await join.join(request)
            await installation.store.close()
            switch outcome {
            case .joined(let joined):
                let messages = joined.messages.of("parked message")
                console.answer(
                    "\(license.id) belongs to the order \(joined.reference) of \(joined.source) now; \(messages) of it "
                        + "will be acted on again",
                    asJSON: arguments[SharedOptions.json]
                ) { JoinedOrder.document.write(joined, into: &$0) }
                return .done
            case .refused(let obstacle): throw CommandError(obstacle.sentence)
            case .licenseUnknown: throw CommandError("The license \(license.id) doesn't exist anymore.")
            case .sourceUnclear(let sources):
                throw UsageError("--source: " + JoinOrder.sourceSentence(of: sources))
            }
        }
    }
}
