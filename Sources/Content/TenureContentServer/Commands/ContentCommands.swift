import TenureCommandLine
import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command group `tenure content`.
enum ContentCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "content", "Shows and changes content licenses on devices, and creates links for learners.",
            example: "tenure content list --holder ada",
            commands: [
                ContentListCommand.command(installations), ContentShowCommand.command(installations),
                ContentExplainCommand.command(installations),
                ContentActCommands.revoke(installations), ContentActCommands.expire(installations),
                ContentActCommands.delete(installations), ContentActCommands.reset(installations),
                ContentLinkCommand.command(installations), ContentCallbackCommand.command(installations),
                ContentCheckCommand.command(installations),
            ])
    }
}

/// The command `tenure content list`.
enum ContentListCommand {
    private static let content: Argument<ContentID?> = .optional(
        "content", "CONTENT", "List only licenses of this content.", as: .content)
    private static let after: Argument<ContentLicenseID?> = .optional(
        "after", "LICENSE", "Start after this license, the last one on the previous page.",
        as: .numbered("the id of a content license"))

    static func command(_ installations: Installations) -> Command {
        Command(
            "list", "Lists content licenses, newest first.", example: "tenure content list --holder ada",
            arguments: [
                ContentReference.holder, content, after, ContentReference.limit, ContentReference.tenant,
                SharedOptions.json, SharedOptions.wide,
            ] + SharedOptions.installation,
            output: Schema.page("licenses", of: ContentLicense.document.schema)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let tenant = try ContentReference.tenant(arguments, in: try await installation.catalog())
            let filter = ContentLicenseFilter(holder: arguments[ContentReference.holder], content: arguments[content])
            let licenses = try await installation.store.newestContentLicenses(
                filter, of: tenant, after: arguments[after], limit: arguments[ContentReference.limit])
            await installation.store.close()
            console.answer(
                licenses, "licenses", ContentLicense.document, ContentLicense.columns,
                asJSON: arguments[SharedOptions.json], limit: arguments[ContentReference.limit])
            return .done
        }
    }
}

/// The command `tenure content show`.
enum ContentShowCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "show", "Shows one content license.", example: "tenure content show clc_0000000000001",
            arguments: ContentActCommands.arguments,
            output: ContentLicense.document.output()
        ) { arguments, console in
            let license = try await ContentExplainCommand.explained(installations, arguments, console).license
            if arguments[SharedOptions.json] {
                console.answer { $0.contentLicense(license) }
            } else {
                console.answer(license.page)
            }
            return .done
        }
    }
}

/// The command `tenure content explain`.
enum ContentExplainCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "explain", "Explains why a content does not play, or why its license is not renewed.",
            discussion: "Based on the usage that its device has reported.",
            example: "tenure content explain clc_0000000000001", arguments: ContentActCommands.arguments,
            output: Schema.output([("reasons", .list(of: Reason.document.schema))])
        ) { arguments, console in
            let explained = try await explained(installations, arguments, console)
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("reasons") { list in
                        for reason in explained.reasons { list.object { $0.reason(reason) } }
                    }
                }
                return .done
            }
            let license = explained.license
            console.answer("\(license.id) \(license.present.content) \(license.shownState), version \(license.version)")
            if explained.reasons.isEmpty { console.answer("nothing prevents playing or renewing it") }
            for reason in explained.reasons.map({ $0.forVendor(of: license.id.description) }) {
                console.answer("\(reason.message.withLocalDates) \(reason.cure.withLocalDates) [\(reason.code)]")
            }
            return .done
        }
    }

    /// Returns the named license, with the reasons why it can't be played or renewed.
    static func explained(
        _ installations: Installations, _ arguments: Parsed, _ console: Console
    ) async throws -> ExplainedContentLicense {
        let installation = try await installations.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let tenant = try ContentReference.tenant(arguments, in: catalog)
        let id = arguments[ContentReference.license]
        let found = try await ContentContext(catalog: catalog, clock: installation.clock).explainContentLicense(
            id, of: tenant)
        await installation.store.close()
        guard let found else { throw ContentReference.unknown(id, of: tenant) }
        return found
    }
}

/// The commands `tenure content revoke`, `expire`, `delete` and `reset`.
enum ContentActCommands {
    private static let reason: Argument<String?> = .optional(
        "reason", "TEXT", "The reason to record in the event.", as: .text)

    static let arguments: [any DeclaredArgument] =
        [ContentReference.license, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation

    static func revoke(_ installations: Installations) -> Command {
        command(
            installations,
            .revoke, "Revokes a content license permanently.", "Its device locks the content at its next contact.")
    }
    static func expire(_ installations: Installations) -> Command {
        command(
            installations,
            .expire, "Ends a content license.", "Its device locks the content at its next contact; a reset unlocks it.")
    }
    static func delete(_ installations: Installations) -> Command {
        command(
            installations,
            .delete, "Deletes a content from its device.",
            "The device deletes it at its next contact; after a reset it can be downloaded again.")
    }
    static func reset(_ installations: Installations) -> Command {
        command(
            installations,
            .reset, "Reopens a content license.", "Its next renewal is due at once, whatever was used.")
    }

    private static func command(
        _ installations: Installations, _ act: ContentLicense.Act, _ abstract: String, _ discussion: String
    ) -> Command {
        Command(
            act.rawValue, abstract, discussion: discussion + " Repeating the command changes nothing.",
            example: "tenure content \(act.rawValue) clc_0000000000001", arguments: [reason] + arguments,
            output: ContentLicense.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let id = arguments[ContentReference.license]
            let outcome = try await ContentContext(catalog: catalog, clock: installation.clock).perform(
                act, on: id, of: tenant, why: arguments[reason], by: .commandLine)
            await installation.store.close()
            switch outcome {
            case .done(let license, let changed):
                if !changed { console.note("nothing changed: this was already done") }
                console.answer(
                    "\(license.id) \(license.present.content): \(license.state.rawValue)",
                    asJSON: arguments[SharedOptions.json]
                ) { $0.contentLicense(license) }
                return .done
            case .refused(let refusal):
                console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
                return .failed
            case .unknown: throw ContentReference.unknown(id, of: tenant)
            }
        }
    }
}

extension ContentLicense {
    /// The plays and play time used, out of those granted.
    fileprivate var text: String {
        guard reportsUse else { return "not reported" }
        let plays = present.terms.plays.map { "\(used.plays)/\($0.of("play"))" } ?? used.plays.of("play")
        let seconds = present.terms.playSeconds.map { "\(used.playSeconds)/\($0) s" } ?? "\(used.playSeconds) s"
        return "\(plays), \(seconds)"
    }

    /// The state; a download that its player has reported as expired is shown as `expired`.
    fileprivate var shownState: String {
        state == .active && playerExpiredAt != nil ? State.expired.rawValue : state.rawValue
    }

    fileprivate static let columns: [LabeledText<ContentLicense>] = [
        LabeledText("license") { $0.id.description },
        LabeledText("holder") { $0.holder },
        LabeledText("content") { $0.present.content.text },
        LabeledText("device") { String(Hex.encode($0.present.device.bytes).prefix(8)) },
        LabeledText.state("state") { $0.shownState },
        LabeledText("version") { String($0.version) },
        LabeledText("used") { $0.text },
        LabeledText("ends") { $0.present.terms.expiresAt?.local ?? "never" },
    ]

    fileprivate var page: TextTable {
        var table = TextTable([.text("license"), .text(id.description)])
        table.add(["holder", holder])
        table.add(["content", present.content.text])
        table.add(["enrolment", enrolment.description])
        table.add(["device", Hex.encode(present.device.bytes)])
        table.add(["state", shownState])
        if let playerExpiredAt { table.add(["expired by player", playerExpiredAt.local]) }
        table.add(["version", String(version)])
        table.add(["ends", present.terms.expiresAt?.local ?? "never"])
        table.add(["check-in by", present.terms.checkInBy?.local ?? "-"])
        table.add(["used", text])
        table.add(["first played", firstPlayAt?.local ?? "-"])
        table.add(["downloaded", downloadedAt?.local ?? "-"])
        table.add(["last seen", lastSeenAt.local])
        return table
    }
}
