import TenureContent
import TenureCore
package import TenureServerKit
import TenureStore

extension Feature {
    /// The server's feature for offline content.
    ///
    /// It contains enrolments, licenses on devices with their use, callbacks for Kollus's players, and the learner
    /// page.
    package static let content: Feature = {
        var feature = Feature("content")
        feature.tables = [
            ContentOfferRow.kept(), ContentPolicyRow.kept(by: ContentPolicyRow.ofTenant),
            ContentItemRow.kept(by: ContentItemRow.ofTenant), CourseRow.kept(by: CourseRow.ofTenant),
            CourseItemRow.kept(by: CourseItemRow.ofTenant), ContentTargetRow.kept(by: ContentTargetRow.ofTenant),
            CallbackTokenRow.kept(by: CallbackTokenRow.ofTenant),
            Enrolment.kept(
                by: Enrolment.byReference, Enrolment.ofTenant, Enrolment.toScope, Enrolment.ofHolder,
                Enrolment.ofFoldedHolder),
            Enrolment.Device.kept(by: Enrolment.Device.ofEnrolment),
            Enrolment.DeviceChange.kept(by: Enrolment.DeviceChange.ofEnrolment, Enrolment.DeviceChange.byAge),
            ContentLicense.kept(
                by: ContentLicense.ofTenant, ContentLicense.ofHolder, ContentLicense.onDevice,
                ContentLicense.ofFoldedHolder, ContentLicense.ofFoldedHolderOnDevice,
                ContentLicense.ofContent, ContentLicense.ofEnrolment, ContentLicense.onDeviceUnderEnrolment),
            ReportedPlay.kept(by: ReportedPlay.ofLicense, ReportedPlay.byStart),
            IdempotentReply.kept(by: IdempotentReply.byAge),
            HolderCredential.kept(
                by: HolderCredential.ofHolder, HolderCredential.byExpiry, HolderCredential.byEnd),
            ContentDevice.kept(by: ContentDevice.ofHolder),
            DeviceRelease.kept(by: DeviceRelease.ofHolder, DeviceRelease.byAge),
        ]
        feature.catalog = .contents
        feature.section = .contents
        feature.reasons = [Feature.Family("Contents", Reason.Kind.content)]
        feature.requests = [Feature.Family("Requests about contents", Reason.Kind.contentRequests)]
        feature.events = [Feature.Family("Contents", EventKind.content)]
        feature.restoreExclusions = { RestoreExclusion.content }
        feature.restoredAsCopied = .content
        feature.restoreAdditions = { RestoreAddition.content }
        feature.records = [.enrolments, .contentLicenses, .holders]
        feature.holderOfSession = { reference, tenant, store throws(ServerError) in
            try await store.holder(ofSession: reference, at: tenant)
        }
        feature.invariants = { inspection in RowInvariant.content(inspection) }
        feature.retention = [
            .responses(IdempotentReply.self), .plays,
            RetentionRule(
                RetentionSweep(Enrolment.DeviceChange.byAge), by: "at",
                after: Int64(DeviceAllowance.countedDays) * 86_400
            ) {
                $0.at < $1
            },
            RetentionRule(RetentionSweep(DeviceRelease.byAge), by: "at", after: Int64(SelfRelease.countedDays) * 86_400)
            {
                $0.at < $1
            },
        ]
        feature.retention += RetentionRule.credentials(HolderCredential.self)
        feature.concerns = [.kollus]
        feature.commands = { installations in
            [
                FeatureCommand(EnrolmentCommands.group(installations), in: .contents),
                FeatureCommand(ContentCommands.group(installations), in: .contents),
            ]
        }
        feature.tags = [
            ("enrolments", "Enrolments of holders in courses and offline content."),
            ("contents", "Content licenses on devices, and tokens and links for holders."),
            ("devices", "Requests of holders' devices about content, each with its own token."),
        ]
        feature.scopes = [
            TokenScope("content:read", order: 30), TokenScope("content:write", order: 31),
            TokenScope("content:token", order: 32),
        ]
        feature.reservesPath = { path in path[0] == "content" || path[0] == "lsd" }
        feature.open = { context throws(ServerError) in try RunningFeature(content: context) }
        return feature
    }()
}

extension RunningFeature {
    fileprivate init(content context: ServerContext) throws(ServerError) {
        self.init()
        let content = ContentContext(
            catalog: context.catalog, clock: context.clock, randomness: context.randomness)
        let callbacks = try KollusCallbacks(content, folder: context.folder)
        endpoints =
            content.endpoints + callbacks.endpoints
            + content.learnerPages(notices: PageFrame.Notice.persistent(context.facts))
        services = [
            EnterCompletions(journal: callbacks.journal, context: content)
        ]
        gauges = { callbacks.journal.exposition }
    }
}

extension HelpSection {
    /// The commands about offline content.
    static let contents = HelpSection("Contents", position: 20)
}
