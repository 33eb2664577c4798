import TenureCore
import TenureLicensing
import TenureServerKit

extension HolderView {
    /// The card of a device, with a form to release it if the holder may.
    ///
    /// - Parameter number: The position among the page's cards, from 1.
    func card(of device: Activation, _ number: Int, in frame: PageFrame) -> Markup {
        let name = ElementID("device", number)
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) {
                Tag.bdi { device.name.isEmpty ? "Unnamed device" : String(device.name.prefix(64)) }
            }
            Tag.dl(.class("facts")) {
                moment("Active since", device.activatedAt)
                moment("Last seen", device.lastSeenAt)
            }
            if canRelease, let session = frame.session {
                Tag.details {
                    Tag.summary { "Release this device" }
                    Tag.form(.post, .action(frame.path("release"))) {
                        Tag.p(.class("small")) { warning }
                        session.hiddenCode
                        Tag.input(.type("hidden"), .name("activation"), .value(device.id.description))
                        Tag.button(.class("danger"), .type("submit")) { "Yes, release it" }
                    }
                }
            }
        }
    }

    private func moment(_ name: String, _ moment: Timestamp) -> Markup {
        Tag.div {
            Tag.dt { name }
            Tag.dd {
                moment.markup
                " (\(moment.distance(from: now)))"
            }
        }
    }

    private var warning: String {
        "Another device can be activated right away. \(product) stops working on this one the next time it connects. "
            + "Only support can undo this."
    }
}
