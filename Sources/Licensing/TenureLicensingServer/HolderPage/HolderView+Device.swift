import TenureCore
import TenureLicensing
import TenureServerKit

extension HolderView {
    /// The card of a device, with a form to release it if the holder may.
    ///
    /// - Parameter number: The position among the page's cards, from 1.
    func card(of seen: SeenActivation, _ number: Int) -> Markup {
        let (id, device) = (ElementID("device", number), seen.activation)
        let name = names.name(of: device)
        return Tag.article(.class("card"), .labelled(by: id)) {
            Tag.h3(.id(id)) { Tag.bdi { name } }
            if let system = device.system { Tag.p(.class("soft")) { system.text } }
            Tag.dl(.class("facts")) {
                time(FrameText.lastSeen(in: language), seen.lastSeenAt)
                time(say(.activeSince), device.activatedAt)
            }
            if canRelease {
                frame.releaseForm(
                    warning: say(.releaseWarning, ["product": contents.product]),
                    button: FrameText.releaseNow(in: language, ["device": name])
                ) { Tag.input(.type("hidden"), .name("activation"), .value(device.id.description)) }
            }
        }
    }

    /// Whether the page offers to release a device; the rules are checked again when the form is sent.
    private var canRelease: Bool { contents.left.map { $0.nextAt == nil } ?? false && !status.isStopped }

    /// How many devices use the license, as a text.
    var inUse: String {
        let count = contents.devices.activeCount
        // A stopped license can't be used on further devices, whatever its limit.
        if status.isStopped { return count == 0 ? say(.noDevice) : say(.devicesActive, count: count) }
        guard let limit = contents.policy.allowance(of: license).limit else {
            return count == 0 ? say(.noDevice) : say(.devicesActive, count: count)
        }
        return count == 0
            ? say(.noDeviceOfLimit, count: limit) : say(.devicesInUse, count: limit, ["used": String(count)])
    }

    /// Why no other device can be activated and what helps, in sentences; empty if one can, or if the license is
    /// stopped.
    var room: [String] {
        guard !status.isStopped,
            let reason = contents.explanation.reasons.first(where: { $0.code == .activationLimitReached })
        else { return [] }
        if let devices = reason.number("devices"), let date = reason.changesAt {
            return [
                say(
                    .devicesUsedUp,
                    ["devices": String(devices), "days": String(DeviceAllowance.countedDays), "date": self.date(date)])
            ]
        }
        return [frame.language.row([say(.limitReached), say(canRelease ? .releaseToActivate : .askToRelease)])]
    }

    /// What the holder may do with devices, in sentences.
    var allowance: [String] {
        if contents.devices.activeCount == 0, contents.left?.nextAt == nil { return [] }
        if status.isStopped { return [say(.releaseStopped)] }
        guard let left = contents.left else { return [say(.releaseOff)] }
        return left.sentences(in: frame.locale)
    }

    /// Why a device wasn't released, in sentences for its holder.
    static func words(of refusal: Refusal, in locale: PageLocale) -> [String] {
        let reason = refusal.first
        if let sentences = reason.sentencesOfWait(in: locale) { return sentences }
        let text: LicensePageText = reason.code == .selfReleaseOff ? .releaseOff : .releaseStopped
        return text.paragraphs(in: locale.language)
    }
}
