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
                fact(Spoken("Last seen", "마지막 확인")) { moment(device.listed.lastSeenAt) }
                fact(Spoken("Content", "콘텐츠")) { .text(String(count)) }
            }
            if device.titles.count > Self.shownAtOnce {
                Tag.details {
                    Tag.summary { Spoken("Show stored content", "저장된 콘텐츠 보기")(in: language) }
                    list(device.titles, hasHeadings: false)
                    if device.titles.count < count { more(count - device.titles.count) }
                }
            } else {
                list(device.titles, hasHeadings: false)
                if device.titles.count < count { more(count - device.titles.count) }
            }
            if canRelease, let session = frame.session {
                Tag.details {
                    Tag.summary { Spoken("Release this device", "이 기기 해제")(in: language) }
                    Tag.form(.post, .action(frame.path("release"))) {
                        Tag.p(.class("small")) { warning(in: language) }
                        session.hiddenCode
                        Tag.input(
                            .type("hidden"), .name("device"), .value(Hex.encode(device.listed.device.bytes)))
                        Tag.button(.class("danger"), .type("submit")) {
                            Spoken("Yes, release it", "네, 해제합니다")(in: language)
                        }
                    }
                }
            }
        }
    }

    private var warning: Spoken {
        Spoken(
            "All content on it is returned, and the device learns this the next time it connects. Until then it may "
                + "keep playing and count against your limit. Only support can undo a release.",
            "기기에 있는 콘텐츠가 모두 반납되며, 기기는 다음에 서버에 연결할 때 이를 알게 됩니다. 그때까지는 저장된 콘텐츠가 재생될 수 있고 기기 한도에도 계속 포함될 수 있습니다. 해제를 "
                + "되돌리려면 고객센터에 문의해야 합니다."
        )
    }
}

extension ContentDevices.Listed {
    /// The device's name or, if it has none, the start of its digest.
    fileprivate func shownName(in language: PageLanguage) -> String {
        if let name, !name.isEmpty { return String(name.prefix(64)) }
        let short = Hex.encode(device.bytes).prefix(4).uppercased()
        return Spoken("Device \(short)", "기기 \(short)")(in: language)
    }
}
