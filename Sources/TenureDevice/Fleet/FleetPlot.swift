/// Numbers day by day as bars, for a terminal.
package enum FleetPlot {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Draws bars in so many lines; days that do not fit beside one another share a bar, which shows their mean.
    ///
    /// The first line names the highest bar; below the last stand the first and the last day.
    package static func lines(_ values: [Int], columns: Int, height: Int = 6) -> [String] {
        guard !values.isEmpty else { return [] }
        let perBar = max(1, (values.count + columns - 1) / max(1, columns))
        let bars = stride(from: 0, to: values.count, by: perBar).map { start in
            let part = values[start..<min(values.count, start + perBar)]
            return Double(part.reduce(0, +)) / Double(part.count)
        }
        let highest = max(1, bars.max() ?? 1)
        let label = String(Int(highest.rounded()))
        var lines = (0..<height).map { row in
            let floor = Double(height - 1 - row)
            let line = bars.map { bar in
                let level = bar / highest * Double(height) - floor
                // The least there is still shows, at the foot.
                let eighths = bar > 0 && floor == 0 ? max(1, Int(level * 8)) : Int(level * 8)
                return blocks[min(8, max(0, eighths))]
            }
            let margin = row == 0 ? label : row == height - 1 ? "0" : ""
            return String(repeating: " ", count: label.count - margin.count) + margin + " │" + String(line)
        }
        let first = "day 1"
        let last = "day \(values.count)"
        let gap = max(1, bars.count - first.count - last.count)
        lines.append(
            String(repeating: " ", count: label.count + 2) + first + String(repeating: " ", count: gap) + last)
        return lines
    }
}
