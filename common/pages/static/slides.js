// One slide at a time; the address has its number.
const slides = [...document.querySelectorAll("section")]
const notes = document.querySelector("aside")
let current = 0

function show(number) {
  current = Math.max(0, Math.min(slides.length - 1, number))
  slides.forEach((slide, i) => slide.classList.toggle("shown", i === current))
  document.getElementById("number").textContent = `${current + 1} / ${slides.length}`
  history.replaceState(null, "", `#${current + 1}`)
}

// The letters of a slide become smaller until all of it fits.
function fit(slide) {
  const body = slide.lastElementChild
  const tooLarge = box => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1
  for (let size = 1.3; size > 0.3; size *= 0.97) {
    body.style.fontSize = `${size}em`
    if (![body, ...body.querySelectorAll("pre")].some(tooLarge)) return
  }
}

const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key in steps) show(current + steps[event.key])
  else if (event.key === "Home") show(0)
  else if (event.key === "End") show(slides.length - 1)
  else if (event.key.toLowerCase() === "n") notes.hidden = !notes.hidden
  else if (event.key.toLowerCase() === "p") print()
  else return
  event.preventDefault()
})
addEventListener("click", event => event.target.closest("a") || show(current + (event.clientX < innerWidth / 3 ? -1 : 1)))

// As on the pages: light, dark, or as the system has it.
const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
const theme = localStorage.getItem("theme")
document.body.dataset.theme = theme === "light" || theme === "dark" ? theme : system
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1))
show(Number(location.hash.slice(1) || 1) - 1)
slides.forEach(fit)
