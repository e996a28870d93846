import { mount } from "svelte";
import Dashboard from "./dashboard.svelte";
import "./style.css";

const target = document.querySelector("#app");
if (target !== null) mount(Dashboard, { target });
