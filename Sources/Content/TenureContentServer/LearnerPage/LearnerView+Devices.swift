import TenureCore
import TenureFormats
import TenureServerKit

extension LearnerView {
    /// The number of items that a device's card shows directly.
    ///
    /// Longer lists are collapsed.
    private static let shownAtOnce = 10

    /// The card of a device with its items and, if allowed, a form to release it.
    ///
    /// - Parameter number: The position on the page, starting at 1.
    func card(of device: LearnerContents.Device, _ number: Int) -> Markup {
        let name = ElementID("device", number)
        let count = device.listed.contents.count
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { Tag.bdi { device.listed.shownName(in: language) } }
            Tag.dl(.class("facts")) {
                Tag.fact(FrameText.lastSeen(in: language)) { time(device.listed.lastSeenAt) }
                Tag.fact(say(.content)) { .text(String(count)) }
            }
            if device.titles.count > Self.shownAtOnce {
                Tag.details {
                    Tag.summary { say(.showStored) }
                    list(device.titles, hasHeadings: false)
                    if device.titles.count < count { more(count - device.titles.count) }
                }
            } else {
                list(device.titles, hasHeadings: false)
                if device.titles.count < count { more(count - device.titles.count) }
            }
            if canRelease {
                frame.releaseForm(
                    warning: say(.releaseWarning),
                    button: FrameText.releaseNow(in: language, ["device": device.listed.shownName(in: language)])
                ) { Tag.input(.type("hidden"), .name("device"), .value(Hex.encode(device.listed.device.bytes))) }
            }
        }
    }
}

extension HolderDevices.Device {
    /// The device's name or, if it has none, the start of its digest.
    func shownName(in language: PageLanguage) -> String {
        if let name, !name.isEmpty { return String(name.prefix(64)) }
        let short = Hex.encode(device.bytes).prefix(4).uppercased()
        return LearnerPageText.device(in: language, ["code": short])
    }
}
