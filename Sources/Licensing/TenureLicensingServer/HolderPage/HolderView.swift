package import TenureCore
package import TenureLicensing
package import TenureServerKit
import TenureStore

/// The page of one license: its facts and its activated devices, each with a form to release it.
package struct HolderView: Sendable, Hashable {
    package let license: License
    /// The product's display name.
    package let product: String
    /// The activated devices, most recently seen first.
    package let devices: [Activation]
    /// The releases that the holder has left; `nil` if the policy allows none.
    package let left: SelfRelease.Remaining?
    package let policy: Policy
    /// The time at which the page is rendered.
    package let now: Timestamp

    /// The most devices that the page shows.
    static let mostDevices = 100

    package init(
        _ license: License, of product: String, devices: [Activation], left: SelfRelease.Remaining?,
        under policy: Policy, at now: Timestamp
    ) {
        self.license = license
        self.product = product
        self.devices = devices.sorted { ($1.lastSeenAt, $1.id.description) < ($0.lastSeenAt, $0.id.description) }
        self.left = left
        self.policy = policy
        self.now = now
    }

    package func page(in frame: PageFrame) -> Page {
        Page(title: "\(product) on your devices") {
            Tag.div {
                Tag.h1 { "\(product) on your devices" }
                Tag.p(.class("lead")) { places }
            }
            about
            Tag.div(.class("cards")) {
                for (place, device) in devices.prefix(Self.mostDevices).enumerated() {
                    card(of: device, place + 1, in: frame)
                }
            }
        }
    }

    /// Whether the page offers to release a device; the rules are checked again when the form is sent.
    var canRelease: Bool { left.map { $0.nextAt == nil } ?? false && !isStopped }

    private var isStopped: Bool {
        switch license.recordedState {
        case .suspended, .revoked, .returned: true
        case .issued, .active, .expired: false
        }
    }

    private var places: String {
        let count = devices.count
        guard let limit = policy.activationLimit else {
            return count == 0
                ? "The license isn’t active on any device."
                : count == 1 ? "The license is active on one device." : "The license is active on \(count) devices."
        }
        return count == 0
            ? "The license isn’t active on any device. Its limit is \(limit)." : "\(count) of \(limit) devices in use."
    }

    private var about: Markup {
        let name = ElementID("about")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { "Your license" }
            Tag.dl(.class("facts")) {
                fact("Key", license.key.masked)
                switch license.ending(at: now) {
                case .unstarted(_, let startBy):
                    fact("Starts", "when you first activate it" + (startBy.map { ", or on \($0.forPeople)" } ?? ""))
                case .never: fact("Expires", "never")
                case .at(let end):
                    Tag.div {
                        Tag.dt { end <= now ? "Expired" : "Expires" }
                        Tag.dd { end.markup }
                    }
                }
            }
            for sentence in allowance { Tag.p { sentence } }
        }
    }

    private func fact(_ name: String, _ value: String) -> Markup {
        Tag.div {
            Tag.dt { name }
            Tag.dd { value }
        }
    }

    /// What the holder may do, in sentences.
    private var allowance: [String] {
        if isStopped { return [Self.stopped] }
        guard let left else { return [Self.off] }
        if let nextAt = left.nextAt {
            return left.left == 0 ? Self.usedUp(until: nextAt) : Self.cooldown(until: nextAt)
        }
        return [
            left.left == 1
                ? "You may release one more device this year." : "You may release \(left.left) devices this year."
        ]
    }

    /// Why a device wasn't released, in sentences for its holder.
    static func words(of refusal: Refusal) -> [String] {
        let reason = refusal.first
        switch (reason.code, reason.changesAt) {
        case (.selfReleaseOff, _): return [off]
        case (.selfReleaseCooldown, let nextAt?): return cooldown(until: nextAt)
        case (.selfReleaseUsedUp, let nextAt?): return usedUp(until: nextAt)
        default: return [stopped]
        }
    }

    private static let stopped =
        "This license was suspended, revoked or returned, so its devices can’t be changed here. Ask support for the "
        + "reason."
    private static let off = "Only support can release devices of this license. Write to support and name the device."

    private static func cooldown(until nextAt: Timestamp) -> [String] {
        [
            "You released a device recently. You may release another one from \(nextAt.forPeople).",
            "If you can’t wait, write to support.",
        ]
    }

    private static func usedUp(until nextAt: Timestamp) -> [String] {
        [
            "You have used all device releases for this year. You may release another one from \(nextAt.forPeople).",
            "If you can’t wait, write to support.",
        ]
    }
}

/// The page for a visitor without a session; it explains how to open one.
package struct ClosedView: Sendable, Hashable {
    package init() {}

    /// The page, which is the same for every visitor.
    package var page: Page {
        Page(title: "Your license") {
            Tag.h1 { "Your license" }
            Tag.section(.class("card")) {
                Tag.p {
                    "You need a one-time link to open this page, which lists the devices of your license. Ask support "
                        + "for a link."
                }
            }
        }
    }
}
